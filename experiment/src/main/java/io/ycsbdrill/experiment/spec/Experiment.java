package io.ycsbdrill.experiment.spec;

import io.ycsbdrill.report.claim.Claim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * An experiment; docs/experiments.md has the format of its file.
 *
 * @param name for titles
 * @param command of every cell that is no whole command line
 * @param axes at least one; their product is the variants
 * @param fixed settings of all cells
 * @param cluster started by the experiment; empty when cells find their database themselves
 * @param loader the binding that loads its tables, whichever a cell uses; empty when that is each cell's own
 * @param shareCluster whether a cell that needs other rows than the one before gets a table of its own in place of a new cluster; with several
 *     clusters the order is interleaved
 * @param renewAfterDrill whether that cluster is renewed after each drill, also one that ended in order
 * @param repeats of each variant, from 1; at most so many with {@code until}
 * @param until the share by which the interval of each variant's throughput may reach above its ratio to the reference, when no more repeats are
 *     needed; empty for all repeats
 * @param order of the cells
 * @param seed of a random order; empty for one that is chosen and recorded
 * @param settle pause before each cell
 * @param timeout after which a cell is ended
 * @param estimate how long a cell takes whose length is not known before; empty when nobody has said
 * @param success when a cell counts
 * @param ascend the axis whose levels are tried in ascending order until two in a row do not count; empty for none
 * @param gain the axis whose later levels are compared with its first one at each combination of the others; empty for none
 * @param charts of the page; empty for the usual ones
 * @param claims of a source that it checks
 */
public record Experiment(
        String name,
        Command command,
        List<Axis> axes,
        List<Setting> fixed,
        Optional<ClusterSpec> cluster,
        Optional<String> loader,
        boolean shareCluster,
        boolean renewAfterDrill,
        int repeats,
        Optional<Double> until,
        Order order,
        OptionalLong seed,
        Duration settle,
        Duration timeout,
        Optional<Duration> estimate,
        Success success,
        Optional<String> ascend,
        Optional<String> gain,
        List<Chart> charts,
        List<Claim> claims) {
    /** More cells than anybody waits for. */
    public static final int MOST_CELLS = 10_000;

    public Experiment {
        axes = List.copyOf(axes);
        fixed = List.copyOf(fixed);
        charts = List.copyOf(charts);
        claims = List.copyOf(claims);
    }

    /** How many variants there are, without making them. */
    long size() {
        return axes.stream().mapToLong(axis -> axis.levels().size()).reduce(1, Math::multiplyExact);
    }

    /** The axis whose levels set this property; empty when none does. */
    public Optional<String> axisThatSets(String property) {
        return axes.stream()
                .filter(axis -> axis.levels().stream()
                        .flatMap(level -> level.settings().stream())
                        .anyMatch(setting -> setting.sets().equals(Vocabulary.PROPERTY_PREFIX + property)))
                .map(Axis::name)
                .findFirst();
    }

    /** All combinations of levels; the last axis changes fastest. The first one is the reference that others are compared with. */
    public List<Variant> variants() {
        List<List<Level>> combinations = new ArrayList<>(List.of(List.of()));
        for (Axis axis : axes) {
            List<List<Level>> longer = new ArrayList<>();
            for (List<Level> before : combinations) {
                for (Level level : axis.levels()) {
                    List<Level> one = new ArrayList<>(before);
                    one.add(level);
                    longer.add(one);
                }
            }
            combinations = longer;
        }
        List<Variant> variants = new ArrayList<>();
        combinations.forEach(levels -> variants.add(variant(variants.size() + 1, levels)));
        return variants;
    }

    private Variant variant(int number, List<Level> levels) {
        Map<String, String> labels = new LinkedHashMap<>();
        Map<String, Setting> settings = new LinkedHashMap<>();
        List<String> whole = new ArrayList<>();
        fixed.forEach(setting -> settings.put(setting.sets(), setting));
        for (int i = 0; i < levels.size(); i++) {
            labels.put(axes.get(i).name(), levels.get(i).label());
            levels.get(i).settings().forEach(setting -> settings.put(setting.sets(), setting));
            whole.addAll(levels.get(i).command());
        }
        Map<String, String> options = new TreeMap<>();
        settings.values().stream()
                .filter(setting -> setting.kind() == Setting.Kind.CLUSTER)
                .forEach(setting -> options.put(setting.typed(), setting.value()));
        return new Variant(
                number, labels, List.copyOf(settings.values()), whole, cluster.map(each -> each.with(options)));
    }
}
