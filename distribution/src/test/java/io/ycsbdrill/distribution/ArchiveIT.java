package io.ycsbdrill.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
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
