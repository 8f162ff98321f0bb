package io.ycsbdrill.client.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

class LoadedRowsTest {
    private static List<String> keys(LoadedRows rows, KeyHistory... written) {
        Iterable<KeyHistory> all = () -> rows.after(Stream.of(written).iterator());
        return StreamSupport.stream(all.spliterator(), false)
                .map(KeyHistory::key)
                .toList();
    }

    @Test
    void allOfASmallLoadAreReadButThoseThatWereWritten() {
        KeyHistory written = new KeyHistory("user5", List.of(), Map.of(), null, Long.MIN_VALUE, Optional.empty());
        LoadedRows rows = new LoadedRows(new Load(3, 4, number -> "user" + number));

        assertThat(keys(rows, written))
                .startsWith("user5")
                .containsExactlyInAnyOrder("user5", "user3", "user4", "user6");
        assertThat(rows.read()).isEqualTo(3);
        assertThat(rows.number("user6")).hasValue(6);
        assertThat(rows.number("user7")).isEmpty();
    }

    @Test
    void ofALargeLoadTheSameSampleIsReadEachTime() {
        Load load = new Load(0, 1_000_000_000L, number -> "user" + number);

        List<String> sample = keys(new LoadedRows(load));

        assertThat(sample).doesNotHaveDuplicates().hasSize(LoadedRows.MOST_READ).isEqualTo(keys(new LoadedRows(load)));
        assertThat(sample.stream()
                        .filter(key -> Long.parseLong(key.substring(4)) < 500_000_000)
                        .count())
                .isBetween(9_500L, 10_500L);
    }

    @Test
    void nothingIsReadOfAnUnknownLoad() {
        assertThat(keys(new LoadedRows(Load.UNKNOWN))).isEqualTo(Collections.emptyList());
    }
}
