package io.ycsbdrill.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

class SkippedTestsTest {
    static class OneTest {
        @Test
        void passes() {}

        @Test
        void lacksSomething() {
            assumeTrue(false, "there is no server");
        }

        @Test
        @Disabled("it is for another system")
        void isSwitchedOff() {}
    }

    static class AllTests {
        @BeforeAll
        static void lackSomething() {
            assumeTrue(false, "no server can be started");
        }

        @Test
        void passes() {}
    }

    @Test
    void reasonsArePrintedWithTheTestsOrTheClass() {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream before = System.out;
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            LauncherFactory.create()
                    .execute(LauncherDiscoveryRequestBuilder.request()
                            .selectors(selectClass(OneTest.class), selectClass(AllTests.class))
                            .build());
        } finally {
            System.setOut(before);
        }

        assertThat(printed.toString(StandardCharsets.UTF_8).lines())
                .containsExactlyInAnyOrder(
                        "skipped: OneTest.lacksSomething: there is no server",
                        "skipped: OneTest.isSwitchedOff: it is for another system",
                        "skipped: AllTests: no server can be started");
    }
}
