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

    private static Marker marker(String kind, String text) {
        return new Marker(1, "", kind, "", Map.of("fault", "kill", "node", "node2", "text", text));
    }
}
