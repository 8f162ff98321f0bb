package io.ycsbdrill.report.page;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.report.data.ClientSeries;
import io.ycsbdrill.report.data.ClientSeries.Slice;
import io.ycsbdrill.report.metric.NumberText;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** How the client itself fared, as the series of a chart and a table. */
record ClientPanel(ClientSeries client, int of) {
    private static final int MOST_POINTS = 500;

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

    /** Whether the client was ever kept from running. */
    boolean stalled() {
        return client.stalledSeconds(0, seconds()) > 0;
    }

    /** For the chart: what is not known is left out, and slices with a stall in a row are one stall. */
    ObjectNode data() {
        ObjectNode data = JsonNodeFactory.instance.objectNode();
        points(slice -> 1 - slice.idle(), data.putArray("busy"));
        points(Slice::steal, data.putArray("steal"));
        ArrayNode stalls = data.putArray("stalls");
        List<Slice> slices = client.slices();
        for (int i = 0; i < slices.size(); i++) {
            int from = i;
            while (i < slices.size() && slices.get(i).stallSeconds() >= ClientSeries.LEAST_STALL_SECONDS) {
                i++;
            }
            if (i > from) {
                stalls.addArray()
                        .add(slices.get(from).startSeconds())
                        .add(slices.get(i - 1).startSeconds() + client.sliceSeconds());
            }
        }
        return data;
    }

    /** The mean of each second, in percent. */
    private void points(ToDoubleFunction<Slice> value, ArrayNode points) {
        List<Slice> slices = client.slices();
        int group = Math.max(1, Math.max((int) Math.round(1 / client.sliceSeconds()), slices.size() / MOST_POINTS));
        for (int from = 0; from < slices.size(); from += group) {
            List<Slice> part = slices.subList(from, Math.min(slices.size(), from + group));
            double middle = part.get(0).startSeconds() + part.size() * client.sliceSeconds() / 2;
            part.stream().mapToDouble(value).filter(Double::isFinite).average().ifPresent(mean -> points.addArray()
                    .add(Math.rint(100 * middle) / 100)
                    .add(Math.rint(1000 * Math.min(1, Math.max(0, mean))) / 10));
        }
    }

    Table table() {
        double seconds = seconds();
        return new Table(
                of == 1 ? "The client itself" : "Most stalled of " + of + " clients: client " + client.client(),
                List.of("Figure", "Value"),
                List.of(
                        List.of("Longest stall", seconds(client.longestStallSeconds())),
                        List.of("Total stalls (slices with \u2265 50 ms)", seconds(client.stalledSeconds(0, seconds))),
                        List.of("Garbage collection", seconds(client.gcSeconds(0, seconds))),
                        List.of("Processors used by the client, mean", mean(Slice::clientCpus, "%.2f", 1)),
                        List.of("Machine idle, mean", mean(Slice::idle, "%.1f %%", 100)),
                        List.of("Stolen by the hypervisor, mean", mean(Slice::steal, "%.1f %%", 100))));
    }

    private static String seconds(double value) {
        return Formatted.of("%.2f s", value);
    }

    private String mean(ToDoubleFunction<Slice> value, String format, double scale) {
        return client.slices().stream().mapToDouble(value).filter(Double::isFinite).average().stream()
                .mapToObj(mean -> Formatted.of(format, scale * mean))
                .findFirst()
                .orElse(NumberText.ABSENT);
    }
}
