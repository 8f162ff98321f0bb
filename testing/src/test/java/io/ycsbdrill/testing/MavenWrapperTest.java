package io.ycsbdrill.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The first build on a Debian that has a JDK and git: without unzip, wget and curl. */
@EnabledOnOs(OS.LINUX)
class MavenWrapperTest {
    private static final String PLACE = "org/apache/maven/apache-maven/1.0/apache-maven-1.0-bin";
    /** What every Debian has. */
    private static final String PROGRAMS =
            "sh cat tar gzip sha256sum mktemp dirname basename mkdir rm mv uname sed tr ls chmod";

    @TempDir
    private Path root;

    private Path archive;

    /** A Maven that says that it runs, as an archive of a repository, and the wrapper as it is. */
    @BeforeEach
    void repository() throws Exception {
        Path maven =
                Files.createDirectories(root.resolve("apache-maven-1.0/bin")).resolve("mvn");
        Files.writeString(maven, "#!/bin/sh\necho built\n");
        assertThat(maven.toFile().setExecutable(true)).isTrue();
        archive = root.resolve("repository").resolve(PLACE + ".tar.gz");
        Files.createDirectories(archive.getParent());
        assertThat(said(new ProcessBuilder(
                        "tar", "czf", archive.toString(), "-C", root.toString(), "apache-maven-1.0")))
                .isEmpty();
        Files.createDirectories(root.resolve("project/.mvn/wrapper"));
        Files.copy(Path.of("../mvnw"), root.resolve("project/mvnw"));
        Path programs = Files.createDirectories(root.resolve("programs"));
        for (String program : PROGRAMS.split(" ")) {
            Path there = Files.writeString(programs.resolve(program), "#!/bin/sh\nexec /bin/" + program + " \"$@\"\n");
            assertThat(there.toFile().setExecutable(true)).isTrue();
        }
    }

    private String wrapper(String sums) throws Exception {
        Files.writeString(
                root.resolve("project/.mvn/wrapper/maven-wrapper.properties"),
                "distributionUrl=" + root.resolve("repository").toUri() + PLACE + ".zip\n" + sums);
        ProcessBuilder builder =
                new ProcessBuilder("sh", root.resolve("project/mvnw").toString(), "-v");
        builder.environment().keySet().removeIf(name -> name.startsWith("MVNW_"));
        builder.environment().put("PATH", root.resolve("programs").toString());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("MAVEN_USER_HOME", root.resolve("home").toString());
        return said(builder);
    }

    private static String said(ProcessBuilder builder) throws IOException, InterruptedException {
        Process process = builder.redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return text.strip();
    }

    private String sum() throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(archive)));
    }

    @Test
    void whatIsFetchedWithoutUnzipIsComparedWithItsOwnSum() throws Exception {
        String ofTheOther = "distributionSha256Sum=" + "0".repeat(64) + "\n";

        assertThat(wrapper(ofTheOther + "distributionSha256SumTarGz=" + "1".repeat(64) + "\n"))
                .contains("Failed to validate Maven distribution SHA-256")
                .doesNotContain("built");
        assertThat(wrapper(ofTheOther + "distributionSha256SumTarGz=" + sum() + "\n"))
                .isEqualTo("built");
    }

    @Test
    void ofTheMavenOfThisProjectBothSumsAreGiven() throws IOException {
        assertThat(Files.readString(Path.of("../.mvn/wrapper/maven-wrapper.properties")))
                .containsPattern("distributionUrl=.*-bin\\.zip\n")
                .containsPattern("distributionSha256Sum=[0-9a-f]{64}\n")
                .containsPattern("distributionSha256SumTarGz=[0-9a-f]{64}\n");
    }
}
