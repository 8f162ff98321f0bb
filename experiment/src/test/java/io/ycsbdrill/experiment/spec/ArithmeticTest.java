package io.ycsbdrill.experiment.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArithmeticTest {
    @ParameterizedTest
    @CsvSource({
        "109 / 168, 0.648810",
        "2 + 3 * 4, 14",
        "(2 + 3) * 4, 20",
        "10 - 4 - 3, 3",
        "8 / 4 / 2, 1",
        "196.8 / (97.2 * 1.73), 1.170342",
        "0.96, 0.96"
    })
    void computes(String text, double expected) {
        assertThat(Arithmetic.of(text)).isCloseTo(expected, within(1e-6));
    }

    @ParameterizedTest
    @CsvSource({
        "'', a number is missing",
        "1 +, a number is missing",
        "1.2.3, a number is missing",
        "(1, a closing bracket is missing",
        "1 / 0, no finite result",
        "1 x, is not expected",
        "-1, a number is missing"
    })
    void saysWhatIsWrong(String text, String reason) {
        assertThatThrownBy(() -> Arithmetic.of(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
    }
}
