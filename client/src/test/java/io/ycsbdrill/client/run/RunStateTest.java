package io.ycsbdrill.client.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RunStateTest {
    /** A table that does not fit ends each of 48 threads; it is one reason. */
    @Test
    void whatManyThreadsSayIsSaidOnceAndInTheOrderInWhichItCameUp() {
        RunState state = new RunState();
        for (int thread = 0; thread < 48; thread++) {
            state.abort("the table has other columns");
            state.invalidate("it is too late");
            state.invalidate("the table has other columns");
        }
        state.abort("a disk is full");

        assertThat(state.reasons()).containsExactly("the table has other columns", "a disk is full", "it is too late");
    }
}
