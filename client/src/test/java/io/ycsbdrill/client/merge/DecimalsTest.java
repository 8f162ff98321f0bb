package io.ycsbdrill.client.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DecimalsTest {

    @ParameterizedTest
    @ValueSource(strings = {"0", "12", "0.1", "86399.9", "12.3456789012", "-0.5", "-3.25", "7.000000001"})
    void valueIsThatOfTheNumberWithItsPointMoved(String number) {
        for (int places : new int[] {0, 3, 9}) {
            assertThat(Decimals.parse(number, places))
                    .as("%s by %d", number, places)
                    .isEqualTo(new BigDecimal(number).movePointRight(places).longValue());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "1.", "1.x", "1e3", "1.2.3", "1.-2"})
    void whatIsNoDecimalNumberIsRefused(String number) {
        assertThatThrownBy(() -> Decimals.parse(number, 3)).isInstanceOf(NumberFormatException.class);
    }

    @Test
    void numberThatDoesNotFitIsRefused() {
        assertThatThrownBy(() -> Decimals.parse("99999999999999", 9)).isInstanceOf(ArithmeticException.class);
    }
}
