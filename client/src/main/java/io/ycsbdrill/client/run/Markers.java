package io.ycsbdrill.client.run;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** The markers and phases of a run by time; both may arrive late, as engine logs are read with a delay. Thread-safe. */
public final class Markers {
    private final List<Marker> markers = new ArrayList<>();
    private final TreeMap<Long, String> phases = new TreeMap<>();

    private record Marker(long atNanos, String label) {}

    public synchronized void add(long atNanos, String label) {
        markers.add(new Marker(atNanos, cell(label)));
    }

    public synchronized void phase(long atNanos, String label) {
        phases.put(atNanos, cell(label));
    }

    /** Without what separates columns and labels of {@code windows.csv}. */
    private static String cell(String label) {
        return label.replaceAll("[,;\\s]+", " ").strip();
    }

    /** Labels of the markers in [start, end), in order of time, joined by {@code ;}. */
    synchronized String labels(long startNanos, long endNanos) {
        return markers.stream()
                .filter(marker -> marker.atNanos >= startNanos && marker.atNanos < endNanos && !marker.label.isEmpty())
                .sorted((a, b) -> Long.compare(a.atNanos, b.atNanos))
                .map(Marker::label)
                .reduce((a, b) -> a + ";" + b)
                .orElse("");
    }

    /** The phase just before this time; empty when there is none. */
    synchronized String phaseBefore(long nanos) {
        var phase = phases.lowerEntry(nanos);
        return phase == null ? "" : phase.getValue();
    }

    synchronized boolean isEmpty() {
        return markers.isEmpty() && phases.isEmpty();
    }
}
