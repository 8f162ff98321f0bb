package io.ycsbdrill.client.merge;

import io.ycsbdrill.client.run.RunDirectory;
import java.io.IOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;

/** What each client says of itself: {@code client.csv} and {@code threads.csv}, each row with its client and moved in time. */
record MergedSeries(List<AlignedClient> clients) {
    private static final Map<String, List<String>> TIMES =
            Map.of("client.csv", List.of("start_s"), "threads.csv", List.of("from_s", "until_s"));

    void write(RunDirectory directory) throws IOException {
        for (String name : TIMES.keySet()) {
            List<AlignedClient> having = clients.stream()
                    .filter(client -> client.files().started()
                            && Files.isRegularFile(client.files().directory().resolve(name)))
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
        client.files().rows(name, row -> {
            row.computeIfPresent(
                    "slice", (column, slice) -> Long.toString(Long.parseLong(slice) + client.sliceShift()));
            TIMES.get(name)
                    .forEach(time -> row.computeIfPresent(
                            time, (column, text) -> text.isEmpty() ? text : moved(text, client.offsetNanos())));
            if (header && !any[0]) {
                file.write("client," + String.join(",", row.keySet()) + "\n");
            }
            any[0] = true;
            file.write(client.number() + "," + String.join(",", row.values()) + "\n");
        });
        return any[0];
    }

    /** So many seconds, and so many nanoseconds more. */
    static String moved(String seconds, long nanos) {
        return new BigDecimal(seconds)
                .add(BigDecimal.valueOf(nanos, 9))
                .stripTrailingZeros()
                .toPlainString();
    }
}
