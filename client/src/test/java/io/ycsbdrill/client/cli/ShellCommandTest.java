package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShellCommandTest {
    @TempDir
    private Path root;

    private int shell(World world, String store) {
        return world.execute("shell", StoreDb.class.getName(), "-p", "store=" + store);
    }

    @Test
    void writesAndReadsRecords() {
        World world = new World(root).typing("""
                insert k1 field0=a field1="two words"
                read k1

                update k1 field0=b=c
                read k1 field0
                scan k0 5
                delete k1
                quit
                read ignored
                """);

        assertThat(shell(world, "shell-good")).isZero();
        assertThat(world.out().replaceAll(" \\(\\d+\\.\\d+ ms\\)", "").lines())
                .containsExactly(
                        "OK",
                        "OK",
                        "  field0=a",
                        "  field1=two words",
                        "OK",
                        "OK",
                        "  field0=b=c",
                        "OK",
                        "record 0",
                        "  field0=b=c",
                        "  field1=two words",
                        "1 record",
                        "OK");
        assertThat(world.err()).isEmpty();
    }

    @Test
    void whatFailsInAPipeFailsTheCommand() {
        World world = new World(root).typing("read nobody\ninsert k1 f=1\n");

        assertThat(shell(world, "shell-missing")).isEqualTo(1);
        assertThat(world.out()).contains("NOT_FOUND").contains("OK");
    }

    @Test
    void wrongLinesAreNamedAndTheRestIsDone() {
        World world = new World(root).typing("raed k\ninsert k\ninsert k novalue\nscan k many\ntable other\nhelp");

        assertThat(shell(world, "shell-wrong")).isEqualTo(1);
        assertThat(world.err())
                .contains("unknown command \"raed\"; did you mean \"read\"?")
                .contains("expected: insert KEY FIELD=VALUE ...")
                .contains("not \"novalue\"")
                .contains("expected: scan KEY COUNT");
        assertThat(world.out()).contains("table other").contains("update KEY FIELD=VALUE");
    }

    @Test
    void charactersOfOneByteComeBackAndOthersAreRefused() {
        World world = new World(root).typing("insert k f=\u00e4\u00ff\ninsert k2 f=\u00e4\u20ac\nread k\nread k2\n");

        assertThat(shell(world, "shell-text")).isEqualTo(1);
        assertThat(world.err()).contains("\"\u00e4\u20ac\" cannot be sent").contains("up to U+00FF");
        assertThat(world.out()).contains("  f=\u00e4\u00ff").contains("NOT_FOUND");
    }

    @Test
    void theTableCanBeChanged() {
        World world = new World(root).typing("insert k f=1\ntable t2\nread k\ntable usertable\nread k\n");

        assertThat(shell(world, "shell-table")).isEqualTo(1);
        assertThat(world.out().lines().filter(l -> l.startsWith("OK") || l.startsWith("NOT_FOUND")))
                .hasSize(3)
                .anyMatch(l -> l.startsWith("NOT_FOUND"));
    }

    @Test
    void aDatabaseOutOfReachIsSaid() {
        World world = new World(root).typing("read k\n");

        assertThat(world.execute("shell", StoreDb.class.getName(), "-p", "store.unreachable=host7"))
                .isEqualTo(1);
        assertThat(world.err()).contains("error: nobody at host7").doesNotContain("at io.ycsbdrill");
    }

    @Test
    void itsOwnEmbeddedClusterIsStopped() {
        FakeEngine embedded = new FakeEngine("embedded");
        World world = new World(root).with(embedded).typing("insert k f=1\n");

        assertThat(world.execute("shell", "native")).isZero();
        assertThat(embedded.calls).containsExactly("up OWNED {}", "down");
    }
}
