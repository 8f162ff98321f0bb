package io.ycsbdrill.client.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SmallPartsTest {

    @ParameterizedTest
    @CsvSource({"1, 1st", "2, 2nd", "3, 3rd", "11, 11th", "95, 95th", "99, 99th", "99.9, 99.9", "101, 101st"})
    void percentilesAreNamedAsStockNamesThem(double percentile, String name) {
        assertThat(StockResult.ordinal(percentile)).isEqualTo(name);
    }

    @Test
    void numbersAreExactInEveryLocale() {
        assertThat(Format.seconds(100_000_000)).isEqualTo("0.1");
        assertThat(Format.seconds(10_000_000_000L)).isEqualTo("10");
        assertThat(Format.micros(1_234_567L)).isEqualTo("1234.567");
        assertThat(Format.perSecond(1, 3_000_000_000L)).isEqualTo("0.333");
    }

    @Test
    void buildKnowsItsVersion() {
        assertThat(BuildInfo.current().version()).matches("\\d+\\.\\d+\\.\\d+.*");
        assertThat(BuildInfo.current().commit()).matches("[0-9a-f]{7,}|unknown");
    }
}
