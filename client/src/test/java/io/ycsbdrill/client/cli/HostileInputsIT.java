package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.base.JavaProgram;
import io.ycsbdrill.base.OwnedDirectory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Files that somebody else made to harm whoever reads them; {@code hostile/inputs.csv} has one line for each. They are read one after the
 * other by a process with a heap of 256 MiB.
 */
@Tag("process")
@EnabledOnOs(OS.LINUX)
@Timeout(600)
class HostileInputsIT {
    private static final int MOST_LINES = 23;
    private static final int LONGEST = 2_200;

    /** What one input may take of a processor; of the clock it may take as long as the machine lets it wait. */
    private static final double MOST_SECONDS = 5;

    private static final int HANGING_SECONDS = 60;

    private static final Map<String, Outcome> OUTCOMES = new HashMap<>();

    @TempDir
    private static Path runs;

    @TempDir
    private Path root;

    @BeforeAll
    static void run() throws Exception {
        World world = new World(runs).with(new FakeEngine("embedded")).file("w", """
                workload=site.ycsb.workloads.CoreWorkload
                recordcount=10
                operationcount=600
                """);
        Path run = runs.resolve("cwd/r");
        // What is damaged are figures of READ in the first two windows, by the number of their lines, which the first
        // run of a JVM may be too slow to have.
        for (int i = 0; i < 20 && !readsFromTheStart(run); i++) {
            if (Files.exists(run)) {
                Files.move(run, runs.resolve("slow-" + i));
            }
            int exitCode = world.execute(
                    "run", "native", "-P", "w", "--out", "r", "--window", "100ms", "-target", "2000", "--audit");
            assertThat(exitCode).as(world.err()).isZero();
        }
        assertThat(readsFromTheStart(run))
                .as("reads and updates in the first window, and reads in the second")
                .isTrue();
        readAll();
    }

    private static void readAll() throws Exception {
        Path folder = Files.createDirectory(runs.resolve("read"));
        List<String> command =
                JavaProgram.command(List.of("-Xmx256m"), HostileInputsIT.class, runs.toString(), folder.toString());
        try (Child child = new Child(folder, Map.of(), command)) {
            List<Input> inputs = inputs().toList();
            for (int i = 0; i < inputs.size(); i++) {
                Path done = folder.resolve(i + ".outcome");
                long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(HANGING_SECONDS);
                while (!Files.exists(done)) {
                    if (System.nanoTime() > end || child.over() && !Files.exists(done)) {
                        throw new AssertionError(
                                "no end of " + inputs.get(i) + " with " + command + "\n" + child.err());
                    }
                    Thread.sleep(10);
                }
                String[] parts = Files.readString(done).split("\0", 3);
                OUTCOMES.put(
                        inputs.get(i).name(),
                        new Outcome(Integer.parseInt(parts[0]), Double.parseDouble(parts[1]), parts[2]));
            }
        }
    }

    /** The process that reads them: with the folder of the runs, and one for the outcomes. */
    public static void main(String[] arguments) throws Exception {
        runs = Path.of(arguments[0]);
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        int i = 0;
        for (Input input : inputs().toList()) {
            OwnedDirectory root = OwnedDirectory.temporary("hostile");
            World world = new World(root.path()).with(new FakeEngine("embedded"));
            prepare(world, input);
            long before = system.getProcessCpuTime();
            int exitCode = world.execute(words(input));
            double seconds = (system.getProcessCpuTime() - before) / 1e9;
            AtomicFile.write(
                    Path.of(arguments[1], i + ".outcome"),
                    exitCode + "\0" + seconds + "\0" + world.err() + world.out());
            root.delete();
            i++;
        }
    }

    private record Outcome(int exitCode, double seconds, String said) {}

    private static boolean readsFromTheStart(Path run) throws IOException {
        if (!Files.exists(run)) {
            return false;
        }
        String slices = Files.readString(run.resolve("slices.csv"));
        return Pattern.compile("(?m)^0,[^,]*,READ,[1-9]").matcher(slices).find()
                && Pattern.compile("(?m)^0,[^,]*,UPDATE,[1-9]").matcher(slices).find()
                && Pattern.compile("(?m)^1,[^,]*,READ,[1-9]").matcher(slices).find();
    }

    record Input(String name, String file, String content, String command, int exitCode, List<String> words) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Input> inputs() throws IOException {
        List<Input> inputs = new ArrayList<>();
        try (InputStream in = HostileInputsIT.class.getResourceAsStream("/hostile/inputs.csv")) {
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList()) {
                if (!line.startsWith("#")) {
                    String[] c = line.split(" \\| ");
                    inputs.add(
                            new Input(c[0], c[1], c[2], c[3], Integer.parseInt(c[4]), Arrays.asList(c[5].split(";;"))));
                }
            }
        }
        return inputs.stream();
    }

    @ParameterizedTest
    @MethodSource("inputs")
    void areRefusedInPlainLines(Input input) {
        Outcome outcome = OUTCOMES.get(input.name());

        check(input, outcome.exitCode(), outcome.said());
        assertThat(outcome.seconds()).as("seconds of a processor").isLessThan(MOST_SECONDS);
    }

    /** Texts that would hide, turn or run something where a page shows them. */
    @Test
    void pagesShowForeignTextsPlain() throws Exception {
        World world = new World(root);
        Files.createDirectories(world.directory());
        Path run = damaged(world.directory(), "run.json");
        String evil = "a\\u001b[31m\u202eb\u200bc<script>alert(1)</script>";
        String text = Files.readString(run)
                .replaceFirst("(\"workload\" : \")[^\"]*", "$1" + Matcher.quoteReplacement(evil))
                .replaceFirst("(\"reasons\" : \\[)", "$1 \"" + Matcher.quoteReplacement(evil) + "\" ");
        Files.writeString(run, text);
        Files.writeString(
                run.resolveSibling("markers.jsonl"),
                "{\"at_ns\":1000000,\"kind\":\"note\",\"label\":\"%1$s\",\"text\":\"%1$s\"}\n".formatted(evil));

        world.execute("report", "r");
        world.execute("compare", "r", "q", "--force", "--out", "compare.html");
        world.execute("history", ".", "--out", "history.html");

        for (String page : List.of("r/report.html", "compare.html", "history.html")) {
            String html = Files.readString(world.directory().resolve(page));
            assertThat(html).as(page).contains("a\\u001b[31m").doesNotContain("<script>alert");
            assertThat(hidden(html)).as(page).isEmpty();
        }
        assertThat(hidden(world.err() + world.out())).isEmpty();
    }

    @Test
    void nothingIsWrittenThroughALinkInARunDirectory() throws Exception {
        World world = new World(root);
        Path elsewhere = Files.createDirectories(root.resolve("elsewhere"));
        Files.createDirectories(world.directory());
        Path charts = damaged(world.directory(), "charts");
        Files.move(charts, root.resolve("charts"));
        Files.createSymbolicLink(charts, elsewhere);

        assertThat(world.execute("report", "r")).isEqualTo(1);

        assertThat(world.err()).contains("r/charts is a link, through which nothing is written; remove it");
        assertThat(elsewhere).isEmptyDirectory();
    }

    private static List<String> hidden(String text) {
        return text.codePoints()
                .filter(c -> c < ' ' && c != '\n' && c != '\t'
                        || c >= 0x7f && c <= 0x9f
                        || c >= 0x200b && c <= 0x200f
                        || c >= 0x202a && c <= 0x202e)
                .mapToObj(Integer::toHexString)
                .toList();
    }

    @Test
    void whatNeedsMoreMemoryThanThereIsSaysSoInOneLine() throws Exception {
        World world = new World(root);
        Files.createDirectories(world.directory());
        Path run = damaged(world.directory(), "run.json");
        make(run, "{\"schema\":1,\"a\":[${2700000*[],}");

        try (Child child = new Child(
                world.directory(), Map.of(), JavaProgram.command(List.of("-Xmx64m"), Main.class, "report", "r"))) {
            assertThat(child.exitCode()).isEqualTo(1);
            assertThat(child.err())
                    .matches(
                            "error: not enough memory for this command; give Java more with -jvm-args=-Xmx..., now \\d+ MiB\n");
        }
    }

    private static void prepare(World world, Input input) throws Exception {
        Files.createDirectories(world.directory());
        if (input.file().startsWith("run:")) {
            make(damaged(world.directory(), input.file().substring(4)), input.content());
        } else if (!input.file().equals("none")) {
            make(world.directory().resolve(input.file()), input.content());
        }
    }

    private static String[] words(Input input) {
        return Stream.of(input.command().split(" "))
                .map(HostileInputsIT::unescaped)
                .toArray(String[]::new);
    }

    private static void check(Input input, int exitCode, String said) {
        assertThat(exitCode).as(said).isEqualTo(input.exitCode());
        assertThat(said).contains(input.words()).doesNotContain("\tat ", "this is a bug", "Exception");
        assertThat(said.codePoints().filter(c -> c < ' ' && c != '\n' || c >= 0x7f && c <= 0x9f || c == 0x202e))
                .as(said)
                .isEmpty();
        // A report shows what is left, and a history the other runs.
        Pattern first = Pattern.compile(exitCode == 0 ? "warning: .*|Not compared: 1" : "error: .*");
        assertThat(said.lines().filter(first.asMatchPredicate()).count())
                .as(said)
                .isBetween(1L, 22L);
        assertThat(said.lines().count()).isLessThanOrEqualTo(MOST_LINES);
        assertThat(said.lines()).allMatch(line -> line.length() <= LONGEST);
    }

    /** Two real runs, of which {@code r} is damaged; the file of a journal's own name is its first one. */
    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
        }
    }

    private static Path damaged(Path world, String file) throws IOException {
        copy(runs.resolve("cwd/r"), world.resolve("r"));
        copy(runs.resolve("cwd/r"), world.resolve("q"));
        String run = Files.readString(world.resolve("q/run.json"));
        String start = run.replaceFirst("(?s).*\"startedAt\" : \"([^\"]*).*", "$1");
        Files.writeString(
                world.resolve("q/run.json"),
                run.replace(start, Instant.parse(start).plusMillis(1).toString()));
        if (!file.equals("JOURNAL")) {
            return world.resolve("r").resolve(file);
        }
        try (Stream<Path> files = Files.list(world.resolve("r/journal"))) {
            return files.sorted().findFirst().orElseThrow();
        }
    }

    private static void make(Path file, String content) throws Exception {
        Files.createDirectories(file.getParent());
        String before = Files.isRegularFile(file) ? Files.readString(file, StandardCharsets.ISO_8859_1) : "";
        Files.deleteIfExists(file);
        if (content.equals("FIFO")) {
            assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor())
                    .isZero();
        } else if (content.startsWith("LINK:")) {
            Files.createSymbolicLink(file, Path.of(content.substring(5)));
        } else if (content.startsWith("BYTES:")) {
            Files.write(file, HexFormat.of().parseHex(content.substring(6)));
        } else if (content.equals("HALF")) {
            Files.writeString(file, before.substring(0, before.length() / 2), StandardCharsets.ISO_8859_1);
        } else if (content.equals("FLIP")) {
            Files.writeString(file, before.replaceFirst("(\"histogram\":\"\\w{6})\\w{8}", "$1AAAAAAAA"));
        } else if (content.equals("BOMB")) {
            Files.writeString(file, before.replaceFirst("(\"histogram\":\")[^\"]*", "$1" + bomb()));
        } else if (content.startsWith("PHASES:")) {
            Files.writeString(
                    file,
                    "step,occurrence,fault,node,phase,stage,start_s,end_s,duration_s\nkill,1,1,node1,failure_handled,1,"
                            + content.substring(7) + ",1,1\n");
        } else if (content.startsWith("OWNERS:")) {
            Files.writeString(
                    file,
                    "slice,start_s,owner,ok,failed,unknown,max_service_us\n" + content.substring(7)
                            + ",0,node1,1,0,0,1\n");
            Path run = file.resolveSibling("run.json");
            Files.writeString(
                    run, Files.readString(run).replaceFirst("\\{", "{\"keyOwners\":{\"partitions\":[\"node1\"]},"));
        } else if (content.startsWith("SUB:")) {
            String[] change = unescaped(content.substring(4)).split("=>");
            String after = before.replaceFirst(change[0], change[1]);
            assertThat(after).isNotEqualTo(before);
            Files.writeString(file, after, StandardCharsets.ISO_8859_1);
        } else {
            Files.writeString(file, unescaped(content));
        }
    }

    /** A histogram, in HdrHistogram's encoding, that is 300 MB large when it is no longer compressed. */
    private static String bomb() throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (DeflaterOutputStream out = new DeflaterOutputStream(packed)) {
            byte[] zeros = new byte[1 << 20];
            for (int i = 0; i < 300; i++) {
                out.write(zeros);
            }
        }
        ByteBuffer bytes = ByteBuffer.allocate(8 + packed.size());
        bytes.putInt(0x1c849304).putInt(packed.size()).put(packed.toByteArray());
        return Base64.getEncoder().encodeToString(bytes.array());
    }

    /** With what is written as a line end, a backslash, {@code \\u001b} or <code>${N*TEXT}</code>. */
    private static String unescaped(String written) {
        String text = written.replace("\\\\", "\0").replace("\\n", "\n");
        text = Pattern.compile("\\\\u([0-9a-f]{4})")
                .matcher(text)
                .replaceAll(m -> Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(m.group(1), 16))));
        text = text.replace('\0', '\\');
        Matcher repeated =
                Pattern.compile("\\$\\{(\\d+)\\*(.*)\\}", Pattern.DOTALL).matcher(text);
        return repeated.find()
                ? text.substring(0, repeated.start())
                        + repeated.group(2).repeat(Integer.parseInt(repeated.group(1)))
                        + text.substring(repeated.end())
                : text;
    }
}
