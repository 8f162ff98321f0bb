package io.ycsbdrill.fault.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

class NodeControlExceptionTest {
    @Test
    void theReasonIsWhatUsersUnderstandAndOfFaultsInTheProgramTheirKind() {
        assertThat(NodeControlException.reason(new NodeControlException("node1 does not stop")))
                .isEqualTo("node1 does not stop");
        assertThat(NodeControlException.reason(new NoSuchFileException("/a/b")))
                .isEqualTo("/a/b: no such file or directory");
        assertThat(NodeControlException.reason(
                        new UncheckedIOException("a cannot be written: disk full", new IOException("disk full"))))
                .isEqualTo("a cannot be written: disk full");
        assertThat(NodeControlException.reason(new IllegalStateException("no such state")))
                .isEqualTo("java.lang.IllegalStateException: no such state");
    }
}
