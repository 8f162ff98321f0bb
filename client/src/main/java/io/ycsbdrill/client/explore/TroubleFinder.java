package io.ycsbdrill.client.explore;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.client.cluster.Access;
import io.ycsbdrill.client.cluster.ControlledCluster;
import io.ycsbdrill.client.explore.Explored.Begun;
import io.ycsbdrill.client.explore.Trouble.Kind;
import io.ycsbdrill.fault.explore.Coverage.Entered;
import io.ycsbdrill.fault.marker.FaultFailed;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.report.data.AuditData;
import io.ycsbdrill.report.data.Marker;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.summary.Check;
import io.ycsbdrill.report.summary.DrillSummary;
import io.ycsbdrill.report.summary.Verdict;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Says what a drill has shown, from its summary and from what it has left behind. Stateless. */
public final class TroubleFinder {
    private static final Set<String> LOSSES = Set.of("ackedLost", "maxRpoSeconds");
    private static final String AUDIT = "audit";

    private TroubleFinder() {}

    /** What a drill has shown that ended, however. */
    public static Explored of(Path directory, Optional<DrillSummary> summary, Access access) {
        List<Trouble> left = leftovers(access);
        return summary.map(judged -> of(judged, left))
                .orElseGet(() -> Explored.without(
                        directory,
                        "it has no result; see " + directory
                                + left.stream()
                                        .map(trouble -> "; " + trouble.text())
                                        .collect(Collectors.joining()),
                        !left.isEmpty()));
    }

    /** What its verdict says, with what was left behind. */
    static Explored of(DrillSummary summary, List<Trouble> left) {
        RunData run = summary.run();
        List<Trouble> troubles = new ArrayList<>(left);
        Verdict verdict = summary.verdict();
        run.audit().ifPresent(audit -> audited(audit, verdict, Verdict.lossesAllowed(run.limits()))
                .forEach(troubles::add));
        List<String> unsound = verdict.unsound();
        unsound.stream()
                .filter(why -> why.contains(FaultFailed.NOT_RECOVERED))
                .forEach(why -> troubles.add(new Trouble(Kind.NOT_RECOVERED, why)));
        unsound.stream()
                .filter(why -> why.contains(FaultFailed.NOT_HEALED))
                .forEach(why -> troubles.add(new Trouble(Kind.LEFTOVER, why)));
        if (unsound.isEmpty()) {
            verdict.checks().stream()
                    .filter(check -> failed(check)
                            && !LOSSES.contains(check.key())
                            && !check.key().equals(AUDIT))
                    .forEach(check -> troubles.add(new Trouble(
                            check.key().equals(Verdict.SERVICE_RESTORED) ? Kind.NOT_RESTORED : Kind.LIMIT_MISSED,
                            check.sentence())));
        }
        return new Explored(
                run.directory(),
                troubles,
                unsound.stream().findFirst(),
                false,
                begun(run.markers()),
                phases(run.markers()),
                rate(run),
                0);
    }

    private static boolean failed(Check check) {
        return check.result() == Check.Result.FAIL;
    }

    /** What the limits allow is nothing to be found. */
    static List<Trouble> audited(AuditData audit, Verdict verdict, boolean lossesAllowed) {
        List<Trouble> troubles = new ArrayList<>();
        verdict.checks().stream()
                .filter(check -> failed(check) && LOSSES.contains(check.key()))
                .findFirst()
                .ifPresent(check -> troubles.add(new Trouble(
                        Kind.LOST_WRITE,
                        audit.ackedLost() + " of " + audit.acknowledged() + " acknowledged writes are lost")));
        if (verdict.checks().stream()
                .noneMatch(check -> failed(check) && check.key().equals(AUDIT))) {
            return troubles;
        }
        int before = troubles.size();
        if (audit.phantoms() + audit.brokenReads(lossesAllowed) > 0) {
            troubles.add(new Trouble(
                    Kind.IMPOSSIBLE_VALUE,
                    audit.phantoms() + " values that nobody wrote, " + audit.brokenReads(lossesAllowed)
                            + " reads that a database with strong reads never shows"));
        }
        if (audit.replicas().differ()) {
            troubles.add(new Trouble(Kind.COPIES_DIFFER, "the copies of a row on the nodes differ"));
        }
        if (troubles.size() == before) {
            troubles.add(new Trouble(Kind.ROW_LOST, String.join("; ", audit.otherFindings(lossesAllowed))));
        }
        return troubles;
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

    /** One that could not be begun: by itself that shows nothing. */
    public static Explored refused(Path directory, RuntimeException why) {
        return Explored.without(directory, String.valueOf(why.getMessage()), why instanceof NodeControlException);
    }

    /** What the drill has not put back, as far as it can be seen. */
    private static List<Trouble> leftovers(Access access) {
        Optional<ControlledCluster> cluster = access.cluster();
        if (cluster.isEmpty()) {
            return List.of();
        }
        Stream<String> open = cluster.get().healRecord().open().stream()
                .map(entry -> entry.fault() + " on node " + entry.node() + " is still recorded as open");
        return Stream.concat(open, notUp(cluster.get().nodes()))
                .map(text -> new Trouble(Kind.LEFTOVER, text))
                .toList();
    }

    private static Stream<String> notUp(NodeController nodes) {
        try {
            return nodes.status().stream()
                    .filter(node -> node.state() == State.DOWN
                            || node.state() == State.PAUSED
                            || node.state() == State.EXPELLED)
                    .map(TroubleFinder::text);
        } catch (NodeControlException e) {
            return Stream.of("the nodes cannot be asked after the drill was healed: " + e.getMessage());
        }
    }

    private static String text(NodeStatus node) {
        return "node " + node.id() + " is " + node.state() + " after the drill was healed";
    }
}
