package io.ycsbdrill.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ProblemsTest {
    private final Problems problems = new Problems();

    @Test
    void allAreThrownAtOnceInOrderEachOnce() {
        problems.add("b");
        problems.missing("a");
        problems.add("b");

        assertThatThrownBy(() -> problems.throwIfAny(all -> new IllegalArgumentException(String.join("; ", all))))
                .hasMessage("b; a");
    }

    @Test
    void aMissingKeyIsNotReportedWhenTheFileThatMayHaveItIsUnreadable() {
        problems.unreadable("file x cannot be read");
        problems.missing("key y is missing");

        assertThat(problems.all()).containsExactly("file x cannot be read");
    }

    @Test
    void withoutProblemsNothingIsThrown() {
        problems.throwIfAny(all -> new IllegalStateException());

        assertThat(problems.any()).isFalse();
    }
}
