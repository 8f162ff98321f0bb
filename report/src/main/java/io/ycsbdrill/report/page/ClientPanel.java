package io.ycsbdrill.report.page;

import io.ycsbdrill.report.data.ClientSeries;
import io.ycsbdrill.report.data.ClientSeries.Slice;
import io.ycsbdrill.report.metric.NumberText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** How the client itself fared, as a small chart of shares of time and a table. */
record ClientPanel(ClientSeries client, int of) {
    static final int WIDTH = 1000;
    static final int HEIGHT = 100;
    private static final int MOST_POINTS = 500;

    /** A stall in the chart, in its units. */
    record Mark(String x, String width) {}

    /** The panel of the client, among several, that stalled most; empty without any. */
    static Optional<ClientPanel> of(List<ClientSeries> clients) {
        return clients.stream()
                .max(Comparator.comparingDouble(client -> client.stalledSeconds(0, Double.MAX_VALUE)))
                .map(worst -> new ClientPanel(worst, clients.size()));
    }

    private double seconds() {
        List<Slice> slices = client.slices();
        return slices.isEmpty() ? 1 : slices.get(slices.size() - 1).startSeconds() + client.sliceSeconds();
    }

    boolean isEmpty() {
        return client.slices().isEmpty();
    }

    /** Points of the line of the machine's busy share; empty when it is not known. */
    String busy() {
        return line(slice -> 1 - slice.idle());
    }

    /** Points of the line of the share that the hypervisor gave to others; empty when there is none. */
    String steal() {
        return client.slices().stream().anyMatch(slice -> slice.steal() > 0) ? line(Slice::steal) : "";
    }

    /** Mean of groups of slices, a point for each; what is not known is left out. */
    private String line(ToDoubleFunction<Slice> value) {
        List<Slice> slices = client.slices();
        int group = Math.max(1, Math.max((int) Math.round(1 / client.sliceSeconds()), slices.size() / MOST_POINTS));
        List<String> points = new ArrayList<>();
        for (int from = 0; from < slices.size(); from += group) {
            List<Slice> part = slices.subList(from, Math.min(slices.size(), from + group));
            part.stream()
                    .mapToDouble(value)
                    .filter(Double::isFinite)
                    .average()
                    .ifPresent(mean -> points.add(String.format(
                            Locale.ROOT,
                            "%.1f,%.1f",
                            x(part.get(0).startSeconds() + part.size() * client.sliceSeconds() / 2),
                            HEIGHT * (1 - Math.min(1, Math.max(0, mean))))));
        }
        return String.join(" ", points);
    }

    private double x(double atSeconds) {
        return WIDTH * atSeconds / seconds();
    }

    /** Slices with a stall, in a row as one. */
    List<Mark> stalls() {
        List<Mark> marks = new ArrayList<>();
        List<Slice> slices = client.slices();
        for (int i = 0; i < slices.size(); i++) {
            int from = i;
            while (i < slices.size() && slices.get(i).stallSeconds() >= ClientSeries.LEAST_STALL_SECONDS) {
                i++;
            }
            if (i > from) {
                double start = x(slices.get(from).startSeconds());
                double end = x(slices.get(i - 1).startSeconds() + client.sliceSeconds());
                marks.add(new Mark(
                        String.format(Locale.ROOT, "%.1f", start),
                        String.format(Locale.ROOT, "%.1f", Math.max(1, end - start))));
            }
        }
        return marks;
    }

    Table table() {
        double seconds = seconds();
        return new Table(
                of == 1 ? "The client itself" : "Most stalled of " + of + " clients: client " + client.client(),
                List.of("Figure", "Value"),
                List.of(
                        List.of("Longest stall", seconds(client.longestStallSeconds())),
                        List.of("Total stalls (slices with >= 50 ms)", seconds(client.stalledSeconds(0, seconds))),
                        List.of("Garbage collection", seconds(client.gcSeconds(0, seconds))),
                        List.of("Processors used by the client, mean", mean(Slice::clientCpus, "%.2f", 1)),
                        List.of("Machine idle, mean", mean(Slice::idle, "%.1f %%", 100)),
                        List.of("Stolen by the hypervisor, mean", mean(Slice::steal, "%.1f %%", 100))));
    }

    private static String seconds(double value) {
        return String.format(Locale.ROOT, "%.2f s", value);
    }

    private String mean(ToDoubleFunction<Slice> value, String format, double scale) {
        return client.slices().stream().mapToDouble(value).filter(Double::isFinite).average().stream()
                .mapToObj(mean -> String.format(Locale.ROOT, format, scale * mean))
                .findFirst()
                .orElse(NumberText.ABSENT);
    }

    /** For those who do not see the chart. */
    String words() {
        return "Share of the machine's processors that was busy, in each second, and " + stalls().size()
                + " stalls of the client, from 0 s to " + NumberText.plain(Math.round(seconds())) + " s";
    }
}
