package io.ycsbdrill.testing;

import io.ycsbdrill.client.audit.AuditCheck;
import io.ycsbdrill.client.cluster.Access;
import io.ycsbdrill.client.run.RunCompanion;
import io.ycsbdrill.client.run.RunSpec;
import io.ycsbdrill.client.session.LoadFailedException;
import io.ycsbdrill.client.session.Loading;
import io.ycsbdrill.client.session.Session;
import io.ycsbdrill.client.session.SessionObserver;
import io.ycsbdrill.client.session.SessionResult;
import java.nio.file.Path;
import java.util.List;

/** One drill from its definition to its result. Used by the thread that has the cluster's turn, once. */
record DrillRun(DrillCluster cluster, Drill drill) {
    DrillResult execute() {
        Access access = cluster.access(drill.binding());
        OpenPackages.require(access.bindingClass());
        Path out = cluster.workspace().run(drill.name());
        try {
            return run(access, drill.spec(cluster.properties()).out(out));
        } catch (RuntimeException e) {
            Workspace.removeIfEmpty(out);
            throw e;
        }
    }

    private DrillResult run(Access access, RunSpec.Builder spec) {
        String table = spec.properties().getProperty("table", "usertable");
        Loading unlessSaid = cluster.workspace().isFirst(access.bindingClass(), table)
                ? Loading.WHEN_EMPTY_OR_UNKNOWN
                : Loading.WHEN_EMPTY;
        Session session = Session.on(access, spec)
                .loading(drill.loads()
                        .map(always -> always ? Loading.ALWAYS : Loading.NEVER)
                        .orElse(unlessSaid))
                .audited(drill.audited().orElseGet(() -> AuditCheck.problems(
                                spec.properties(), spec.threads(), spec.part().of())
                        .isEmpty()))
                .observe(new Lines());
        drill.file().ifPresent(session::drill);
        SessionResult result = execute(session);
        // Not before: a drill that is refused, or whose load fails, leaves the table to the next one.
        cluster.workspace().used(access.bindingClass(), table);
        DrillResult judged = new DrillResult(result.summary()
                .orElseThrow(() -> new IllegalStateException("drill " + drill.name() + ": "
                        + result.problem().orElseThrow() + "; its data are in "
                        + result.run().directory())));
        cluster.say("drill " + drill.name() + ": " + judged.verdict().line());
        if (judged.valid()) {
            cluster.workspace().passed(judged);
        }
        return judged;
    }

    private SessionResult execute(Session session) {
        try {
            return session.execute();
        } catch (LoadFailedException e) {
            throw new IllegalStateException(
                    "drill " + drill.name() + ": " + e.getMessage()
                            + "; if the records are there already, say load(false)",
                    e);
        }
    }

    /** Reports to the cluster's log. */
    private final class Lines implements SessionObserver {
        @Override
        public void said(String line) {
            cluster.say(line);
        }

        @Override
        public void drilled(String line) {
            cluster.say(line);
        }

        @Override
        public List<RunCompanion> loading(RunSpec load) {
            cluster.say("loading " + load.operations() + " records");
            return List.of();
        }
    }
}
