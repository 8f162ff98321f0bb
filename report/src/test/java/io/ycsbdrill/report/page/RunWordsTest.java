package io.ycsbdrill.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.report.data.Marker;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RunWordsTest {

    @Test
    void whatWasDoneAndWhatWasSeenOfItAreTwoLines() {
        assertThat(RunWords.of(marker("fault-injected", ""))).isEqualTo("fault kill of node2 is injected");
        assertThat(RunWords.of(marker("fault-effective", "node2 is DOWN (no process)")))
                .isEqualTo("fault kill of node2 has taken effect: node2 is DOWN (no process)");
    }

    @Test
    void numbersAndNamesAreWrittenAsPeopleWriteThem() {
        assertThat(RunWords.counted("1", "record")).isEqualTo("1 record");
        assertThat(RunWords.counted("10000000", "record")).isEqualTo("10,000,000 records");
        assertThat(RunWords.counted("", "record")).isEmpty();
        assertThat(RunWords.product("patroni")).isEqualTo("PostgreSQL with Patroni");
        assertThat(RunWords.product("patroni 3.0.2 with PostgreSQL 15.20"))
                .isEqualTo("Patroni 3.0.2 with PostgreSQL 15.20");
        assertThat(RunWords.product("embedded 2.18.0")).isEqualTo("Apache Ignite 2.18.0");
    }

    private static Marker marker(String kind, String text) {
        return new Marker(1, "", kind, "", Map.of("fault", "kill", "node", "node2", "text", text));
    }
}
