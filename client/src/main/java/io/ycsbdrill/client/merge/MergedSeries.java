package io.ycsbdrill.client.merge;

import io.ycsbdrill.client.run.RunDirectory;
import java.io.IOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What each client says of itself: {@code client.csv} and {@code threads.csv}, each row with its client and moved in time. */
record MergedSeries(List<AlignedClient> clients) {
    private static final Map<String, List<String>> TIMES =
            Map.of("client.csv", List.of("start_s"), "threads.csv", List.of("from_s", "until_s"));

    void write(RunDirectory directory) throws IOException {
        for (String name : TIMES.keySet()) {
            List<String> lines = new ArrayList<>();
            for (AlignedClient client : clients) {
                if (client.files().started()
                        && Files.isRegularFile(client.files().directory().resolve(name))) {
                    add(client, name, lines);
                }
            }
            if (!lines.isEmpty()) {
                try (Writer file = directory.stream(name)) {
                    for (String line : lines) {
                        file.write(line + "\n");
                    }
                }
            }
        }
    }

    private static void add(AlignedClient client, String name, List<String> lines) throws IOException {
        for (Map<String, String> row : client.files().rows(name)) {
            row.computeIfPresent(
                    "slice", (column, slice) -> Long.toString(Long.parseLong(slice) + client.sliceShift()));
            TIMES.get(name)
                    .forEach(time -> row.computeIfPresent(
                            time, (column, text) -> text.isEmpty() ? text : moved(text, client.offsetNanos())));
            if (lines.isEmpty()) {
                lines.add("client," + String.join(",", row.keySet()));
            }
            lines.add(client.number() + "," + String.join(",", row.values()));
        }
    }

    /** So many seconds, and so many nanoseconds more. */
    static String moved(String seconds, long nanos) {
        return new BigDecimal(seconds)
                .add(BigDecimal.valueOf(nanos, 9))
                .stripTrailingZeros()
                .toPlainString();
    }
}
