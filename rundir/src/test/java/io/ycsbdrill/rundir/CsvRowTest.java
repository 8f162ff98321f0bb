package io.ycsbdrill.rundir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CsvRowTest {
    private static CsvRow row(String header, String line) {
        return new CsvHeader("t.csv", header, List.of()).row(line);
    }

    @Test
    void quotedFieldsMayContainCommas() {
        CsvRow row = row("x,y,z,n", "a,\"b,\"\"c\"\"\",,7");

        assertThat(row.values()).containsExactly("a", "b,\"c\"", "", "7");
        assertThat(row.text("y")).isEqualTo("b,\"c\"");
        assertThat(row.count("n")).isEqualTo(7);
    }

    @Test
    void aColumnThatTheFileDoesNotHaveIsEmpty() {
        CsvRow row = row("x", "1");

        assertThat(row.text("y")).isEmpty();
        assertThat(row.orNaN("y")).isNaN();
        assertThat(row.number("y")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "1,2,3", "", ",,", "\"1,2"})
    void aRowHasAsManyFieldsAsTheHeader(String line) {
        assertThatThrownBy(() -> row("x,y", line)).isInstanceOf(IllegalArgumentException.class);
    }

    /** Decimals are read without the library's parser where that gives the same bits. */
    @Test
    void numbersAreReadAsJavaReadsThem() {
        Random random = new Random(5);
        for (int i = 0; i < 200_000; i++) {
            String text = random.nextInt(4) == 0
                    ? Double.toString(random.nextGaussian() * Math.pow(10, random.nextInt(30) - 10))
                    : String.format(Locale.ROOT, "%." + random.nextInt(12) + "f", random.nextDouble() * 1e7);

            assertThat(row("x,y", text + ",1").orNaN("x")).isEqualTo(Double.parseDouble(text));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.2.3", ".", "-", "1e", "NaN", "Infinity", "0x10", " "})
    void whatIsNoNumberIsNamed(String text) {
        assertThatThrownBy(() -> row("x,y", text + ",1").orNaN("x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("x is \"" + text + "\", not a number");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "1.0", "", "x", "99999999999999999999"})
    void whatIsNoCountIsNamed(String text) {
        assertThatThrownBy(() -> row("x,y", text + ",1").count("x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("x is \"" + text + "\", not a count");
    }
}
