package io.ycsbdrill.client.explore;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.cluster.Access;
import io.ycsbdrill.client.cluster.ControlledCluster;
import io.ycsbdrill.client.explore.Explored.Begun;
import io.ycsbdrill.client.explore.Trouble.Kind;
import io.ycsbdrill.fault.explore.Coverage.Entered;
import io.ycsbdrill.fault.marker.FaultFailed;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.report.data.AuditData;
import io.ycsbdrill.report.data.Marker;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.metric.Check;
import io.ycsbdrill.report.metric.DrillSummary;
import io.ycsbdrill.report.metric.Verdict;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Says what a drill has shown, from its summary and from what it has left behind. Stateless. */
public final class TroubleFinder {
    private static final List<String> OF_THE_AUDIT = List.of("ackedLost", "audit");

    private TroubleFinder() {}

    /** What a drill has shown that ended, however. */
    public static Explored of(Path directory, Optional<DrillSummary> summary, Access access) {
        List<Trouble> left = leftovers(access);
        return summary.map(judged -> of(judged, left))
                .orElseGet(() -> Explored.without(directory, left, Optional.of("it has no result; see " + directory)));
    }

    private static Explored of(DrillSummary summary, List<Trouble> left) {
        RunData run = summary.run();
        List<Trouble> troubles = new ArrayList<>(left);
        run.audit().ifPresent(audit -> audited(audit, troubles));
        Verdict verdict = summary.verdict();
        List<String> unsound = verdict.unsound();
        unsound.stream()
                .filter(why -> why.contains(FaultFailed.NOT_RECOVERED))
                .forEach(why -> troubles.add(new Trouble(Kind.NOT_RECOVERED, why)));
        unsound.stream()
                .filter(why -> why.contains(FaultFailed.NOT_HEALED))
                .forEach(why -> troubles.add(new Trouble(Kind.LEFTOVER, why)));
        if (unsound.isEmpty()) {
            verdict.checks().stream()
                    .filter(check -> check.result() == Check.Result.FAIL)
                    .filter(check -> !OF_THE_AUDIT.contains(check.key()))
                    .forEach(check -> troubles.add(new Trouble(
                            check.key().equals(Verdict.SERVICE_RESTORED) ? Kind.NOT_RESTORED : Kind.LIMIT_MISSED,
                            check.sentence())));
        }
        return new Explored(
                run.directory(),
                troubles,
                unsound.stream().findFirst(),
                begun(run.markers()),
                phases(run.markers()),
                rate(run),
                0);
    }

    private static void audited(AuditData audit, List<Trouble> troubles) {
        if (audit.ackedLost() > 0) {
            troubles.add(new Trouble(
                    Kind.LOST_WRITE,
                    audit.ackedLost() + " of " + audit.acknowledged() + " acknowledged writes are lost"));
        }
        if (audit.phantoms() + audit.brokenReads() > 0) {
            troubles.add(new Trouble(
                    Kind.IMPOSSIBLE_VALUE,
                    audit.phantoms() + " values that nobody wrote, " + audit.brokenReads()
                            + " reads that a database with strong reads never shows"));
        }
        if (audit.replicas().differ()) {
            troubles.add(new Trouble(Kind.COPIES_DIFFER, "the copies of a row on the nodes differ"));
        } else if (troubles.isEmpty() && audit.foundOthers(false)) {
            troubles.add(new Trouble(Kind.LOST_WRITE, String.join("; ", audit.otherFindings(false))));
        }
    }

    private static List<Begun> begun(List<Marker> markers) {
        return markers.stream()
                .filter(marker -> marker.kind().equals("fault-started"))
                .map(marker -> new Begun(marker.field("step"), marker.node(), marker.atSeconds()))
                .toList();
    }

    private static List<Entered> phases(List<Marker> markers) {
        return markers.stream()
                .filter(marker -> marker.kind().equals("phase"))
                .flatMap(marker -> Phase.labelled(marker.phase()).stream()
                        .map(phase -> new Entered(marker.node(), phase, marker.atSeconds())))
                .toList();
    }

    private static OptionalLong rate(RunData run) {
        double rate = run.run().at("/load/rate").asDouble();
        return rate >= 1 ? OptionalLong.of(Math.round(rate)) : OptionalLong.empty();
    }

    /** One that could not be begun. */
    public static Explored refused(Path directory, RuntimeException why) {
        if (why instanceof NodeControlException) {
            return Explored.without(
                    directory, List.of(new Trouble(Kind.LEFTOVER, String.valueOf(why.getMessage()))), Optional.empty());
        }
        if (why instanceof ConfigException) {
            return Explored.without(directory, List.of(), Optional.of(String.valueOf(why.getMessage())));
        }
        throw why;
    }

    /** What the drill has not put back, as far as it can be seen. */
    private static List<Trouble> leftovers(Access access) {
        Optional<ControlledCluster> cluster = access.cluster();
        if (cluster.isEmpty()) {
            return List.of();
        }
        Stream<String> open = cluster.get().healRecord().open().stream()
                .map(entry -> entry.fault() + " on node " + entry.node() + " is still recorded as open");
        Stream<String> nodes = cluster.get().nodes().status().stream()
                .filter(node ->
                        node.state() == State.DOWN || node.state() == State.PAUSED || node.state() == State.EXPELLED)
                .map(TroubleFinder::text);
        return Stream.concat(open, nodes)
                .map(text -> new Trouble(Kind.LEFTOVER, text))
                .toList();
    }

    private static String text(NodeStatus node) {
        return "node " + node.id() + " is " + node.state() + " after the drill was healed";
    }
}
