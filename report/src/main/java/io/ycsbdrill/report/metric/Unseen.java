package io.ycsbdrill.report.metric;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.base.Scatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What of a closed loop's losses no figure has, as it may be chance: said where the verdict is.
 *
 * @param share of the baseline, 0 to 1: what is taken off the loss of calm seconds
 * @param level share of the baseline below which the service is degraded
 */
record Unseen(double share, double level) {

    private Unseen worse(Unseen other) {
        return new Unseen(Math.max(share, other.share), Math.min(level, other.level));
    }

    /** What may be seen of none of these: the worst of each, as sentences; the types of operations once each. */
    static List<String> sentences(List<FaultMetrics> all) {
        List<String> sentences = new ArrayList<>(
                all.stream().flatMap(fault -> fault.rare().stream()).distinct().toList());
        Stream<Unseen> losses = all.stream().map(FaultMetrics::unseen).flatMap(Optional::stream);
        losses.reduce(Unseen::worse).ifPresent(worst -> sentences.add(worst.sentence()));
        return sentences;
    }

    private String sentence() {
        return Formatted.of(
                "The throughput of this closed loop varies by itself: a loss of up to %.0f %% of B may be chance and is in no"
                        + " figure%s, so degraded and lost seconds are at least those given; give the drill a rate",
                Math.ceil(100 * Math.min(1, share)),
                level < Scatter.DEGRADED
                        ? Formatted.of(", and the service is degraded below %.0f %% of B only", 100 * level)
                        : "");
    }
}
