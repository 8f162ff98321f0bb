package io.ycsbdrill.experiment.run;

import io.ycsbdrill.base.Counted;
import io.ycsbdrill.experiment.spec.ClusterSpec;
import io.ycsbdrill.experiment.spec.Experiment;
import io.ycsbdrill.report.experiment.CellResult;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How long cells take in all, as far as that can be known before the first.
 *
 * @param time with the starts of processes and clusters, and the loads of tables
 * @param clusters how often a cluster is given its table, by a start or a load
 * @param estimated cells whose length only the experiment's file estimates
 * @param unknown cells of whose length nothing is known
 * @param leaves what the next experiment of the suite then finds
 */
public record ExpectedTime(Duration time, int clusters, int estimated, int unknown, PassedOn leaves) {
    /** What a start of a cluster takes, with the load of a small table; an estimate. */
    private static final Duration CLUSTER = Duration.ofSeconds(15);

    /** What a small table takes on a cluster that is up; an estimate. */
    private static final Duration TABLE = Duration.ofSeconds(5);

    /** At which a table is loaded; an estimate. */
    private static final double LOADED_BYTES_PER_SECOND = 20e6;

    /**
     * The cells of a plan that have not ended yet in a directory.
     *
     * @param found what the experiment before has left
     */
    public static ExpectedTime of(
            Experiment experiment, Plan plan, CellCommands commands, ExperimentDirectory directory, PassedOn found) {
        List<ExpectedTime> all = new ArrayList<>();
        boolean keeps = commands.keepsCluster();
        PassedOn left = keeps ? found : PassedOn.NOTHING;
        Set<String> tables = new HashSet<>(); // of cells that share their cluster
        for (Cell cell : plan.cells()) {
            if (Files.isRegularFile(directory.cell(cell).resolve(CellResult.FILE))) {
                continue;
            }
            Tool.Inspection inspection = commands.inspect(cell.variant());
            Optional<Duration> length = inspection.length().or(experiment::estimate);
            Optional<ClusterSpec> cluster = cell.variant().cluster();
            boolean renewed = cluster.isPresent()
                    && !(left.cluster().equals(cluster)
                            && (experiment.shareCluster() || left.table().equals(inspection.table())));
            if (renewed) {
                tables.clear();
            }
            boolean loaded = experiment.shareCluster() && cluster.isPresent() && tables.add(inspection.table());
            if (!inspection.keepsRows()) {
                tables.remove(inspection.table());
            }
            left = new PassedOn(cluster, !experiment.shareCluster() ? inspection.table() : renewed ? "" : left.table());
            all.add(new ExpectedTime(
                    experiment
                            .settle()
                            .plus(ExperimentProgress.START)
                            .plus(length.orElse(Duration.ZERO))
                            .plus(
                                    renewed
                                            ? CLUSTER.plus(table(inspection))
                                            : loaded ? TABLE.plus(table(inspection)) : Duration.ZERO),
                    renewed ? 1 : 0,
                    inspection.length().isEmpty() && length.isPresent() ? 1 : 0,
                    length.isEmpty() ? 1 : 0,
                    left));
            boolean renews = inspection.drill() && experiment.renewAfterDrill();
            if (renews || !experiment.shareCluster() && !commands.leavesCluster(inspection)) {
                left = PassedOn.NOTHING;
            }
        }
        ExpectedTime sum = sum(all);
        return new ExpectedTime(sum.time, sum.clusters, sum.estimated, sum.unknown, left);
    }

    private static Duration table(Tool.Inspection cell) {
        double bytes = cell.load().isEmpty() ? 0 : cell.rowBytes().orElse(0);
        return Duration.ofSeconds(Math.round(bytes / LOADED_BYTES_PER_SECOND));
    }

    /** All of them together. */
    public static ExpectedTime sum(Collection<ExpectedTime> all) {
        return new ExpectedTime(
                all.stream().map(ExpectedTime::time).reduce(Duration.ZERO, Duration::plus),
                all.stream().mapToInt(ExpectedTime::clusters).sum(),
                all.stream().mapToInt(ExpectedTime::estimated).sum(),
                all.stream().mapToInt(ExpectedTime::unknown).sum(),
                PassedOn.NOTHING);
    }

    /** For people: {@code about 14 min, with 12 clusters and their tables at 15 s or more each}. */
    public String text() {
        return (unknown > 0 ? "more than " : "about ")
                + Math.max(1, time.plusSeconds(30).toMinutes()) + " min"
                + (clusters == 0
                        ? ""
                        : ", with " + Counted.of(clusters, "cluster") + " and their tables at " + CLUSTER.toSeconds()
                                + " s or more each")
                + (estimated == 0
                        ? ""
                        : "; an estimate, as what " + Counted.of(estimated, "cell")
                                + " have to do takes as long as it takes")
                + (unknown == 0 ? "" : "; of " + Counted.of(unknown, "cell") + " nothing is known before");
    }
}
