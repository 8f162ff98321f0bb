package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.base.NearestName;
import io.ycsbdrill.client.cluster.BindingNames;
import io.ycsbdrill.client.session.KnownProperties;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NearestNameTest {
    @ParameterizedTest
    @CsvSource({"natvie,native", "Native,native", "jbdc,jdbc", "reset,rest", "nativ,native"})
    void findsWhatWasMeant(String typed, String meant) {
        assertThat(NearestName.of(typed, BindingNames.all())).contains(meant);
    }

    @ParameterizedTest
    @ValueSource(strings = {"mongodb", "x", "cassandra"})
    void guessesNothingFarAway(String typed) {
        assertThat(NearestName.of(typed, BindingNames.all())).isEmpty();
        assertThat(NearestName.hint(typed, BindingNames.all())).isEmpty();
    }

    @Test
    void warnsOfPropertiesThatAreAlmostKnown() {
        Properties properties = new Properties();
        List.of("recordcout", "ThreadCount", "ndb.connectstring", "recordcount", "jdbc.url", "tabel")
                .forEach(key -> properties.setProperty(key, "1"));

        assertThat(KnownProperties.nearMisses(properties))
                .hasSize(3)
                .anyMatch(w -> w.contains("\"recordcout\"") && w.contains("\"recordcount\""))
                .anyMatch(w -> w.contains("\"ThreadCount\"") && w.contains("\"threadcount\""))
                .anyMatch(w -> w.contains("\"tabel\"") && w.contains("\"table\""));
    }
}
