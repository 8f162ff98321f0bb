package io.ycsbdrill.report.metric;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.data.Stage;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The phase that an incident is in at each time: that of its node that is farthest from recovered. Pure. */
final class PhaseTimeline {
    private static final List<String> ORDER =
            Arrays.stream(Phase.values()).map(Phase::label).toList();

    private final List<Stage> stages;
    private final double dataEnd;

    PhaseTimeline(RunData run, Incident incident) {
        dataEnd = run.durationSeconds();
        stages = run.stages().stream()
                .filter(incident::has)
                .filter(stage -> stage.startSeconds() >= incident.startSeconds() - 1e-9
                        && stage.startSeconds() < incident.endSeconds())
                .sorted(Comparator.comparingDouble(Stage::startSeconds))
                .toList();
    }

    /** Empty when all nodes have recovered, or none is affected yet. */
    Optional<String> at(double seconds) {
        return stages.stream()
                .filter(stage -> stage.startSeconds() <= seconds && seconds < end(stage))
                .map(Stage::phase)
                .min(Comparator.comparingInt(PhaseTimeline::rank));
    }

    /** In the order in which they begin. */
    Set<String> phases() {
        Set<String> phases = new LinkedHashSet<>();
        stages.forEach(stage -> phases.add(stage.phase()));
        return phases;
    }

    /** How long the incident was in the phase. */
    double seconds(String phase) {
        double[] times = stages.stream()
                .flatMap(stage -> Stream.of(stage.startSeconds(), end(stage)))
                .mapToDouble(Double::doubleValue)
                .sorted()
                .distinct()
                .toArray();
        double sum = 0;
        for (int i = 1; i < times.length; i++) {
            double middle = (times[i - 1] + times[i]) / 2;
            sum += at(middle).filter(phase::equals).isPresent() ? times[i] - times[i - 1] : 0;
        }
        return sum;
    }

    /** Whether a node was in the phase at the end of the data. */
    boolean open(String phase) {
        return stages.stream()
                .anyMatch(s -> s.phase().equals(phase) && s.endSeconds().isEmpty());
    }

    private double end(Stage stage) {
        return stage.endSeconds().orElse(dataEnd);
    }

    /** A phase that this program does not know comes last. */
    private static int rank(String phase) {
        int rank = ORDER.indexOf(phase);
        return rank < 0 ? ORDER.size() : rank;
    }
}
