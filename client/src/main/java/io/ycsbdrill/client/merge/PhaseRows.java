package io.ycsbdrill.client.merge;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;

/** The rows of {@code phases.csv}, moved in time. */
final class PhaseRows {
    private PhaseRows() {}

    /** @param nanos added to every start and end */
    static String moved(List<String> lines, long nanos) {
        List<String> columns =
                Arrays.asList(lines.isEmpty() ? new String[0] : lines.get(0).split(",", -1));
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < lines.size(); i++) {
            String[] values = lines.get(i).split(",", -1);
            for (String column : i == 0 ? List.<String>of() : List.of("start_s", "end_s")) {
                int at = columns.indexOf(column);
                if (at >= 0 && at < values.length && !values[at].isEmpty()) {
                    values[at] = new BigDecimal(values[at])
                            .add(BigDecimal.valueOf(nanos, 9))
                            .stripTrailingZeros()
                            .toPlainString();
                }
            }
            text.append(String.join(",", values)).append('\n');
        }
        return text.toString();
    }
}
