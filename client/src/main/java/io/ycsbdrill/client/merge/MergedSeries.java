package io.ycsbdrill.client.merge;

import io.ycsbdrill.base.InputFile;
import io.ycsbdrill.base.PlainText;
import io.ycsbdrill.client.run.RunDirectory;
import java.io.IOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** What each client says of itself, {@code client.csv} and {@code threads.csv}, and of the servers, {@code nodes.csv}: each row with its client and moved in time. */
record MergedSeries(List<AlignedClient> clients) {
    private static final Map<String, List<String>> TIMES = Map.of(
            "client.csv", List.of("start_s"),
            "nodes.csv", List.of("at_s"),
            "threads.csv", List.of("from_s", "until_s"));

    private static final int MOST_DIGITS = 30;

    void write(RunDirectory directory) throws IOException {
        for (String name : TIMES.keySet()) {
            List<AlignedClient> having = clients.stream()
                    .filter(client -> client.files().started()
                            && InputFile.isThere(client.files().directory().resolve(name)))
                    .toList();
            if (!having.isEmpty()) {
                try (Writer file = directory.stream(name)) {
                    boolean first = true;
                    for (AlignedClient client : having) {
                        first = !add(client, name, first, file) && first;
                    }
                }
            }
        }
    }

    /** Row by row, as a day of many clients does not fit into memory; returns whether there was one. */
    private static boolean add(AlignedClient client, String name, boolean header, Writer file) throws IOException {
        boolean[] any = {false};
        Path source = client.files().directory().resolve(name);
        client.files().rows(name, row -> {
            row.computeIfPresent("slice", (column, slice) -> later(source, slice, client.sliceShift()));
            TIMES.get(name)
                    .forEach(time -> row.computeIfPresent(
                            time, (column, text) -> text.isEmpty() ? text : moved(source, text, client.offsetNanos())));
            if (header && !any[0]) {
                file.write("client," + String.join(",", row.keySet()) + "\n");
            }
            any[0] = true;
            file.write(client.number() + "," + String.join(",", row.values()) + "\n");
        });
        return any[0];
    }

    /**
     * So many seconds, and so many nanoseconds more.
     *
     * @throws MergeException when the text is no time that a run writes: an exponent could ask for more digits than there is memory
     */
    static String moved(Path file, String seconds, long nanos) {
        try {
            BigDecimal time = new BigDecimal(seconds);
            if (time.precision() <= MOST_DIGITS && Math.abs((long) time.scale()) <= MOST_DIGITS) {
                return time.add(BigDecimal.valueOf(nanos, 9))
                        .stripTrailingZeros()
                        .toPlainString();
            }
            throw damaged(file, seconds);
        } catch (NumberFormatException e) {
            throw damaged(file, seconds);
        }
    }

    private static String later(Path file, String slice, int slices) {
        try {
            return Long.toString(Math.addExact(Long.parseLong(slice), slices));
        } catch (NumberFormatException | ArithmeticException e) {
            throw damaged(file, slice);
        }
    }

    private static MergeException damaged(Path file, String text) {
        return new MergeException(file + ": damaged: \"" + PlainText.shortened(text, 40)
                + "\" is no time or slice; copy it again or leave it out");
    }
}
