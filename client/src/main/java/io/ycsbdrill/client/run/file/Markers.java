package io.ycsbdrill.client.run.file;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The markers and phases of a run by time; both may arrive late, as engine logs are read with a delay. Thread-safe. */
public final class Markers {
    /** In {@code windows.csv}, where another part of the window has a phase. */
    public static final String NO_PHASE = "none";

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

    /** How long each phase was in [start, end), in order of time: {@code down:5.05;local-recovery:2.5}; empty when there was none. */
    synchronized String phaseSeconds(long startNanos, long endNanos) {
        List<String> parts = new ArrayList<>();
        long from = startNanos;
        String label = phaseBefore(startNanos + 1);
        boolean any = !label.isEmpty();
        for (Map.Entry<Long, String> next :
                phases.subMap(startNanos, false, endNanos, false).entrySet()) {
            if (!next.getValue().equals(label)) {
                part(parts, label, next.getKey() - from);
                from = next.getKey();
                label = next.getValue();
                any |= !label.isEmpty();
            }
        }
        part(parts, label, endNanos - from);
        return any ? String.join(";", parts) : "";
    }

    private static void part(List<String> parts, String label, long nanos) {
        BigDecimal seconds = BigDecimal.valueOf(nanos, 9).setScale(3, RoundingMode.HALF_UP);
        if (seconds.signum() > 0) {
            parts.add((label.isEmpty() ? NO_PHASE : label) + ":"
                    + seconds.stripTrailingZeros().toPlainString());
        }
    }

    synchronized boolean isEmpty() {
        return markers.isEmpty() && phases.isEmpty();
    }
}
