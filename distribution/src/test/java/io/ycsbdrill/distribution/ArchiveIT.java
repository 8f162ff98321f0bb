package io.ycsbdrill.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The archive, unpacked into an empty folder: without sources, and with a {@code PATH} on which no Maven can be found. */
class ArchiveIT {
    private static final Pattern LINK = Pattern.compile("]\\(([^)#:]+)(#[^)]*)?\\)");

    @TempDir
    static Path folder;

    private static Path home;

    @BeforeAll
    static void unpack() throws Exception {
        home = Unpacked.archive(folder);
    }

    @Test
    void theCommandOfTheReadmeRuns() throws Exception {
        Path directory = Files.createDirectory(folder.resolve("elsewhere"));

        String out = ycsb(
                directory,
                "run",
                "native",
                "-P",
                "workloads/workloadb",
                "-p",
                "recordcount=500",
                "-p",
                "operationcount=500",
                "--out",
                "r");

        assertThat(out).contains("[READ], Return=OK, ");
        assertThat(directory.resolve("r/report.html")).isNotEmptyFile();
        assertThat(directory.resolve("r/run.json")).content().contains("\"complete\"");
        assertThat(ycsb(directory, "report", "r")).contains("r/report.html");
        assertThat(ycsb(directory, "compare", "r", "r")).contains("compare.html");
        assertThat(ycsb(directory, "history", ".", "--json")).contains("\"series\"");
    }

    /** Each as it is typed there, but with hosts that are nowhere. */
    @Test
    void commandsOfTheReadmeForOtherHostsRunUntilAHostIsNeeded() throws Exception {
        List<String> typed = Files.readAllLines(home.resolve("README.md")).stream()
                .filter(line -> line.startsWith("./bin/ycsb "))
                .map(line -> line.replaceAll("\\s+#.*", "").replaceAll("\\b((db|mgm)\\d)", "$1.invalid"))
                .toList();
        List<String> init =
                typed.stream().filter(line -> line.contains(" init ")).toList();
        List<String> rehearsal =
                typed.stream().filter(line -> line.endsWith(" --dry-run")).toList();
        assertThat(init).hasSize(4);
        assertThat(rehearsal).hasSize(1);

        for (String line : init) {
            Path directory = Files.createDirectory(folder.resolve("init-" + line.split(" ")[2]));
            assertThat(ycsb(directory, words(line))).contains(" drill ", "workload.properties", "drill.yaml");
            assertThat(directory.resolve("drill.yaml")).isNotEmptyFile();
        }
        assertThat(ycsb(folder.resolve("init-galera"), words(rehearsal.get(0)))).contains("db3.invalid");
    }

    /** The first drill of the README, without doing it. */
    @Test
    void theDrillOfTheReadmeCanBePlanned() throws Exception {
        String drill = Files.readAllLines(home.resolve("README.md")).stream()
                .filter(line -> line.startsWith("./bin/ycsb drill "))
                .findFirst()
                .orElseThrow();

        assertThat(ycsb(folder, words(drill + " --plan")))
                .contains("node-restart", "audit      yes", "started for this drill");
        assertThat(ycsb(folder, "drill", "--list")).contains("node-restart", "partition");
    }

    private static String[] words(String line) {
        return line.replaceFirst("\\S+ ", "").strip().split(" +");
    }

    @Test
    void completionIsThatOfTheCommands() throws Exception {
        assertThat(completed("dri")).isEqualTo("drill");
        assertThat(completed("drill", "native", "-D", "node-")).contains("node-kill", "node-restart");
        assertThat(completed("suite", "warp")).contains("warp-tpcc");
        assertThat(completed("cluster", "up", "gal")).isEqualTo("galera");
    }

    /** What bash offers for the last word, with the archive's file. */
    private static String completed(String... words) throws Exception {
        String script =
                "source \"$0\"; COMP_WORDS=(ycsb \"$@\"); COMP_CWORD=$#; _complete_ycsb; echo \"${COMPREPLY[@]}\"";
        Path file = home.resolve("share/bash-completion/completions/ycsb");
        List<String> command = Stream.concat(Stream.of("bash", "-c", script, file.toString()), Stream.of(words))
                .toList();
        Process bash = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String offered = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(bash.waitFor()).isZero();
        return offered.strip();
    }

    @Test
    void whatIsShippedIsFound() throws Exception {
        assertThat(ycsb(folder, "--version")).startsWith("ycsb-drill ");
        assertThat(ycsb(folder, "suite")).contains("warp-tpcc");
        assertThat(ycsb(folder, "generate-completion")).contains("complete -F _complete_ycsb");
    }

    @Test
    void theLinksOfTheReadmeLeadSomewhere() throws IOException {
        List<String> links = LINK.matcher(Files.readString(home.resolve("README.md")))
                .results()
                .map(MatchResult::group)
                .map(link -> LINK.matcher(link).replaceAll("$1"))
                .toList();

        assertThat(links).hasSizeGreaterThan(20).allSatisfy(link -> assertThat(home.resolve(link))
                .exists());
    }

    @Test
    void programsCanBeRunAndNothingOfTheBuildIsInIt() throws IOException {
        assertThat(home.resolve("bin/ycsb")).isExecutable();
        assertThat(home.resolve("bin/install-ndb")).isExecutable();
        assertThat(home.resolve("examples/schedule/scheduled-drill")).isExecutable();
        try (Stream<Path> all = Files.walk(home)) {
            assertThat(all.map(path -> home.relativize(path).toString()))
                    .contains(
                            "LICENSE",
                            "docs/dependencies.md",
                            "workloads/drills/node-restart.yaml",
                            "deploy/kubernetes/base/clients.yaml",
                            "share/bash-completion/completions/ycsb")
                    .noneMatch(path -> path.matches("workloads/(src|target|pom.xml)(/.*)?"))
                    .noneMatch(path -> path.matches("(.*/)?target(/.*)?"));
        }
    }

    @Test
    void everyLibraryOfOthersHasItsLicence() throws IOException {
        Path licences = home.resolve("licences");
        List<String[]> rows = Files.readAllLines(licences.resolve("THIRD-PARTY.txt")).stream()
                .dropWhile(line -> !line.startsWith("library "))
                .skip(1)
                .map(line -> line.split(" {2,}"))
                .toList();
        String ours = "(base|binding-.*|client|experiment|faultinject|report|rundir|workloads)-[0-9].*";
        List<String> libraries;
        try (Stream<Path> all = Files.list(home.resolve("lib"))) {
            libraries = all.map(path -> path.getFileName().toString())
                    .filter(name -> name.endsWith(".jar") && !name.matches(ours))
                    .toList();
        }

        assertThat(libraries).hasSizeGreaterThan(40).allSatisfy(library -> {
            String[] row = rows.stream()
                    .filter(each -> library.matches(each[0].replace("*", ".*") + "-[0-9].*"))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(library + " is not in licences/THIRD-PARTY.txt"));
            assertThat(row).as(library).hasSize(3);
            if (row[2].equals("in the jar")) {
                try (ZipFile jar =
                        new ZipFile(home.resolve("lib").resolve(library).toFile())) {
                    assertThat(jar.stream()).as(library).anyMatch(entry -> entry.getName()
                            .matches("(META-INF/|license/)?LICENSE(\\.txt)?"));
                }
            } else {
                assertThat(licences.resolve(row[2])).as(library).isNotEmptyFile();
            }
        });
        // The driver of jdbc:postgresql: was listed, and not there.
        assertThat(rows).allSatisfy(row -> assertThat(libraries)
                .as(row[0])
                .anyMatch(library -> library.matches(row[0].replace("*", ".*") + "-[0-9].*")));
        assertThat(libraries).noneMatch(library -> library.matches("jackson-(core|mapper)-asl.*"));
        assertThat(licences.resolve("LGPL-2.1.txt")).content().contains("GNU LESSER GENERAL PUBLIC LICENSE");
        String bom = Files.readString(licences.resolve("bom.json"));
        assertThat(libraries)
                .allSatisfy(library -> assertThat(bom).contains("\"" + library.replaceFirst("-[0-9].*", "") + "\""));
    }

    /** Runs the launcher and returns its standard output. */
    private static String ycsb(Path directory, String... arguments) throws Exception {
        File out = Files.createTempFile(folder, "out", ".txt").toFile();
        File err = Files.createTempFile(folder, "err", ".txt").toFile();
        ProcessBuilder builder = new ProcessBuilder(
                        Stream.concat(Stream.of(home.resolve("bin/ycsb").toString()), Stream.of(arguments))
                                .toList())
                .directory(directory.toFile())
                .redirectOutput(out)
                .redirectError(err);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("PATH", "/usr/bin:/bin");
        // As in the build's other tests: all of it is over before the optimising compiler pays.
        String brief = "-XX:TieredStopAtLevel=1";
        builder.environment().put("YCSB_JVM_ARGS", brief + " -Dycsbdrill.embedded.jvm=" + brief);
        builder.environment().put("YCSB_DRILL_STATE", folder.resolve("state").toString());
        builder.environment().remove("NDB_HOME");
        Process process = builder.start();

        assertThat(process.waitFor(5, TimeUnit.MINUTES)).as("ends").isTrue();

        assertThat(process.exitValue()).as(text(err) + text(out)).isZero();
        assertThat(text(err)).doesNotContain("building");
        return text(out);
    }

    private static String text(File file) {
        try {
            return Files.readString(file.toPath());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
