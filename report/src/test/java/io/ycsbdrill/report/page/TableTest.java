package io.ycsbdrill.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {
    private static final Table LIMITS = new Table(
            "Limits of the drill",
            List.of("Limit", "Measured", "Allowed", "Result", "Note"),
            List.of(
                    List.of(
                            "Degraded",
                            "\u2265 58 s",
                            "at most 90 s",
                            "not measurable",
                            "not over at the end of the data"),
                    List.of("Audit: every write judged", "n/a", "n/a", "pass", "")));

    @Test
    void shortCellsStayOnOneLineAndWhatIsAbsentStandsAsItsColumnDoes() {
        assertThat(LIMITS.kind(1, "n/a")).isEqualTo("n");
        assertThat(Table.isNumber("\u2264 5.4 s")).as("a bound").isTrue();
        assertThat(LIMITS.kind(2, "n/a")).as("in a column of words").isEqualTo("w");
        assertThat(LIMITS.kind(3, "not measurable")).isEqualTo("w");
        assertThat(LIMITS.kind(4, "not over at the end of the data")).isNull();
        assertThat(LIMITS.isOfNumbers(1)).isTrue();
        assertThat(LIMITS.isOfNumbers(2)).isFalse();
    }

    @Test
    void numbersOfEveryUnitAreAlignedToTheRight() {
        assertThat(List.of(
                        "258.6 \u00b5s", "301 MB", "\u2265 20.1 s", "20 of 60 s", "-0.2 %", "1,543 ops/s", "0 writes"))
                .allMatch(Table::isNumber);
        assertThat(List.of("at most 10 s", "12.03 / 0.40 MB/s", "node1")).noneMatch(Table::isNumber);
    }

    @Test
    void aPhoneShowsATableAsOneWhereItHasRoomForIt() {
        Table ratios = new Table(
                "Operations",
                List.of("Operation", "Figure", "A", "B", "B / A"),
                List.of(List.of("UPDATE", "throughput (ops/s)", "3,685", "17,112", "4.64 \u00d7")));

        assertThat(ratios.fitsPhone()).isTrue();
        assertThat(LIMITS.fitsPhone()).isFalse();
    }
}
