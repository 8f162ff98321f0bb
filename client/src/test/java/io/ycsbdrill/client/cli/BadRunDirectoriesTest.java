package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Run directories that were damaged after the run, or whose client was killed. A damaged one is never merged, compared or
 * put among others as if it were whole; the report shows what is left of it, and says that it is invalid.
 */
@Timeout(120)
class BadRunDirectoriesTest {
    private static final Map<String, byte[]> CONTENTS = Map.of(
            "empty", new byte[0],
            "binary", new byte[] {0, (byte) 0xff, (byte) 0xfe, 1, 2, 3, '\n', (byte) 0x80});

    /** Two real runs, {@code r} and {@code q}; copied for each line of the tables, without their reports. */
    @TempDir
    private static Path runs;

    @TempDir
    private Path root;

    private BadInput input;
    private Path run;

    @BeforeAll
    static void run() {
        for (String directory : new String[] {"r", "q"}) {
            World world = new World(runs).with(new FakeEngine("embedded")).file("w", """
                    workload=site.ycsb.workloads.CoreWorkload
                    recordcount=10
                    operationcount=600
                    """);
            int exitCode = world.execute(
                    "run", "native", "-P", "w", "--out", directory, "--window", "100ms", "-target", "2000", "--audit");
            assertThat(exitCode).as(world.err()).isZero();
        }
    }

    @BeforeEach
    void copy() throws IOException {
        input = new BadInput(root);
        Path target = input.world().directory();
        for (String directory : new String[] {"r", "q"}) {
            Files.createDirectories(target.resolve(directory));
            try (Stream<Path> files = Files.list(runs.resolve("cwd").resolve(directory))) {
                for (Path file : files.filter(Files::isRegularFile)
                        .filter(made -> !made.endsWith("report.html"))
                        .toList()) {
                    Files.copy(file, target.resolve(directory).resolve(file.getFileName()));
                }
            }
        }
        run = target.resolve("r");
    }

    /** {@code removed}, {@code empty}, {@code binary}, {@code half}, {@code folder}, {@code = new content} or {@code old -> new}. */
    private void damage(String name, String how) throws IOException {
        Path file = run.resolve(name);
        if (how.equals("removed") || how.equals("folder")) {
            Files.delete(file);
            if (how.equals("folder")) {
                Files.createDirectory(file);
            }
        } else if (CONTENTS.containsKey(how)) {
            Files.write(file, CONTENTS.get(how));
        } else if (how.startsWith("= ")) {
            Files.writeString(file, how.substring(2));
        } else {
            String before = Files.readString(file, StandardCharsets.ISO_8859_1);
            String[] change = how.split(" -> ");
            String after =
                    how.equals("half") ? before.substring(0, half(before)) : before.replaceFirst(change[0], change[1]);
            assertThat(after).isNotEqualTo(before);
            Files.writeString(file, after, StandardCharsets.ISO_8859_1);
        }
    }

    /** Not within a number or a word, such as null, which is an error of its own. */
    private static int half(String text) {
        int half = text.length() / 2;
        while (Character.isLetterOrDigit(text.charAt(half)) || text.charAt(half) == '.') {
            half++;
        }
        return half;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            run.json | empty                                 | run.json: field schema is missing
            run.json | binary                                | run.json line 1 is not JSON
            run.json | half                                  | is not JSON: Unexpected end-of-input
            run.json | = []                                  | run.json: field schema is missing; a version from 1 to 1
            run.json | = null                                | field schema is missing
            run.json | "schema" : 1 -> "schema" : 99         | schema 99 is newer than this program, which knows up to 1
            run.json | "schema" : 1 -> "schema" : "one"      | field schema is missing
            windows.csv | binary                             | windows.csv line 1: no column window
            windows.csv | window,start_s -> fenster,start    | windows.csv line 1: no column window, start_s; the header is:
            windows.csv | window,start_s -> window,"start_s  | windows.csv line 1: a quote is not closed
            slices.csv | binary                              | slices.csv line
            """)
    void thatCannotBeReadAreRefusedByEveryCommand(String file, String how, String parts) throws IOException {
        damage(file, how);

        input.refused("report r", 1, parts);
        input.refused("compare r q", 1, parts);
        input.refused("compare q r --force", 1, parts);
        input.refused("merge r q --out m", 1, parts + ";;nothing was merged, and m was not written");
    }

    /** Whoever named it meant another one: a usage error. */
    @ParameterizedTest
    @ValueSource(strings = {"removed", "folder"})
    void withoutRunJsonAreNone(String how) throws IOException {
        damage("run.json", how);

        String none = "ROOT/cwd/r is not a run directory: it has no run.json";
        for (String typed : new String[] {"report r", "compare r q", "compare q r --force", "audit r"}) {
            input.refused(typed, 2, none);
        }
        // It may be that of a client that was killed before it wrote one.
        input.refused("merge r q --out m", 1, none + ";;nothing was merged");
        input.refused("merge r nowhere --out m", 2, "ROOT/cwd/nowhere is not there");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            windows.csv   | empty                              | windows.csv: the file is empty; even its header is missing
            windows.csv   | half                               | the last line has no line end although the run was closed
            windows.csv   | (?m)^0,0,([^,]*),READ,\\d+ -> 0,0,$1,READ,many | windows.csv line;; ok is "many", not a count
            windows.csv   | (?m)^0,0,([^,]*),READ,\\d+ -> 0,0,$1,READ,-5   | ok is "-5", not a count
            windows.csv   | (?m)^1,.*\\n -> x                  | windows.csv
            slices.csv    | empty                              | slices.csv;; the file is empty
            slices.csv    | half                               | slices.csv line;; the last line has no line end
            markers.jsonl | = {"at_ns":1,"kind                 | markers.jsonl line 1: the last line has no line end
            phases.csv    | = step,occ                         | phases.csv line 1: the last line has no line end
            summary.json  | half                               | summary.json line;; is not JSON
            summary.json  | binary                             | summary.json line 1 is not JSON
            summary.json  | = []                               | summary.json is not a JSON object
            summary.json  | "schema" : 1 -> "schema" : 2       | summary.json: schema 2 is newer than this program
            run.json      | "durationNanos" : \\d+ -> "durationNanos" : -1 | run.json: durationNanos = -1; expected a whole number
            slices.csv    | (?m)^\\d+,([^,]*),READ -> 2000000000,$1,READ | slices.csv line;;: damaged
            windows.jsonl | half                               | windows.jsonl line;; the last line has no line end
            audit.json    | half                               | audit.json line;; is not JSON
            audit.json    | = {"schema":7}                     | audit.json: schema 7 is newer than this program
            """)
    void thatAreDamagedDoNotCount(String file, String how, String parts) throws IOException {
        damage(file, how);

        input.refused("compare r q", 1, "is invalid: damaged;;" + parts);
        input.refused("merge r q --out m", 1, "damaged: ;;nothing was merged;;" + parts);
        reportSays("do not rely on the figures of this run: damaged;;" + parts);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            windows.csv   | removed                            | windows.csv is missing; without it the run cannot be merged exactly
            windows.jsonl | removed                            | windows.jsonl
            windows.jsonl | half                               | windows.jsonl line;; damaged: the last line has no line end
            windows.jsonl | binary                             | windows.jsonl
            windows.jsonl | "histogram":".... -> "histogram":"???? | windows.jsonl;; cannot be decoded
            totals.jsonl  | half                               | totals.jsonl line;; damaged: the last line has no line end
            totals.jsonl  | "operation" -> "op"                | totals.jsonl
            slices.csv    | removed                            | slices.csv
            run.json      | "windowNanos" : \\d+ -> "windowNanos" : -5 | windowNanos = -5; expected a whole number from 1
            run.json      | "startedAt" : "[^"]*" -> "startedAt" : "today" | startedAt = today is not an instant like
            run.json      | "threads" : 1 -> "threads" : "many" | threads: ROOT/cwd/r has many, ROOT/cwd/q has 1
            run.json      | "binding" : "native" -> "binding" : "jdbc" | has jdbc
            """)
    void thatCannotBeMergedExactlyAreNotMerged(String file, String how, String parts) throws IOException {
        damage(file, how);

        input.refused("merge r q --out m", 1, parts + ";;nothing was merged");
    }

    /** A client that was killed: its files end in the middle of a line, and run.json says what it said at the start. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            windows.csv   | 3,0.3,0.4,REA
            windows.jsonl | {"window":3,"start_ns":3000
            slices.csv    | 7,0.7,READ,1
            markers.jsonl | {"at_ns":12
            """)
    void ofAKilledClientAreIncompleteAndLoseNothing(String file, String lastWords) throws IOException {
        for (String written : new String[] {"summary.json", "totals.jsonl", "ycsb.txt", "audit.json"}) {
            Files.delete(run.resolve(written));
        }
        damage("run.json", "\"state\" : \"complete\" -> \"state\" : \"incomplete\"");
        damage("run.json", "\"endedAt\" : \"[^\"]*\" -> \"endedAt\" : null");
        damage("run.json", "\"durationNanos\" : \\d+ -> \"durationNanos\" : null");
        Path cut = run.resolve(file);
        Files.writeString(cut, (Files.exists(cut) ? Files.readString(cut) : "") + lastWords);

        input.refused("compare r q", 1, "A is invalid: incomplete;;--force");
        reportSays("incomplete");
        World merged = input.world();
        assertThat(merged.execute("merge", "r", "q", "--out", "m"))
                .as(merged.err())
                .isEqualTo(1);
        BadInput.understandable("merge r q --out m", merged.err());
        assertThat(Files.readString(input.world().directory().resolve("m/run.json")))
                .contains("\"incomplete\"");
        World among = input.world();
        assertThat(among.execute("history", ".", "--out", "h.html"))
                .as(among.err())
                .isZero();
        assertThat(among.out()).contains("q").doesNotContain("  r\n");
    }

    @ParameterizedTest
    @CsvSource({"running", "great", "''"})
    void whoseStateIsNoneOfOursAreNotMergedAsComplete(String state) throws IOException {
        damage("run.json", "\"state\" : \"complete\" -> \"state\" : \"" + state + "\"");

        World merged = input.world();

        assertThat(merged.execute("merge", "r", "q", "--out", "m"))
                .as(merged.err())
                .isEqualTo(1);
        assertThat(Files.readString(input.world().directory().resolve("m/run.json")))
                .contains("\"incomplete\"");
        reportSays("do not rely on");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            compare r q -o r                    | 1 | r cannot be written
            compare r q -o /proc/ycsb/x.html    | 1 | /proc/ycsb/x.html cannot be written;; no such file or directory
            compare r q -o w/below.html         | 1 | w/below.html cannot be written
            history . --out w/below.html        | 1 | no history of ROOT/cwd
            merge r q --out /proc/ycsb/m        | 2 | run directory /proc/ycsb/m cannot be made
            merge r q --out q                   | 2 | is not empty; a run never mixes with another
            merge r r --out m                   | 1 | are the same run
            """)
    void whoseResultCannotBeWrittenAreUntouched(String typed, int exitCode, String parts) {
        input.world().file("w", "a file");

        input.refused(typed, exitCode, parts);
    }

    /** What is left is shown all the same, so the exit code is 0; only the page and its charts are new. */
    private void reportSays(String parts) throws IOException {
        Map<String, String> before = input.files();
        World world = input.world();

        int exitCode = world.execute("report", "r");

        assertThat(exitCode).as(world.err()).isZero();
        BadInput.understandable("report r", world.err());
        assertThat(world.err()).startsWith("warning: ").contains(parts.strip().split("\\s*;;\\s*"));
        assertThat(Files.readString(run.resolve("report.html")).contains("do not rely on"))
                .isTrue();
        assertThat(input.files()).containsAllEntriesOf(before);
    }
}
