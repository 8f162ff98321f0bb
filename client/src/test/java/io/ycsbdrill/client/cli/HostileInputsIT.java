package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Files that somebody else made to harm whoever reads them; {@code hostile/inputs.csv} has one line for each. The time-out is only there
 * to find what hangs.
 */
@Tag("process")
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class HostileInputsIT {
    private static final int MOST_LINES = 23;
    private static final int LONGEST = 2_200;

    @TempDir
    private Path root;

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
    void areRefusedInPlainLines(Input input) throws Exception {
        World world = new World(root).with(new FakeEngine("embedded"));
        Files.createDirectories(world.directory());
        if (!input.file().equals("none")) {
            make(world.directory().resolve(input.file().replace("run:", "r/")), input.content());
        }

        int exitCode = world.execute(input.command().split(" "));

        String said = world.err() + world.out();
        assertThat(exitCode).as(said).isEqualTo(input.exitCode());
        assertThat(said).contains(input.words()).doesNotContain("\tat ", "this is a bug", "Exception");
        assertThat(said.codePoints().filter(c -> c < ' ' && c != '\n' || c >= 0x7f && c <= 0x9f || c == 0x202e))
                .as(said)
                .isEmpty();
        assertThat(said.lines().filter(line -> line.startsWith("error: ")).count())
                .isBetween(1L, 22L);
        assertThat(said.lines().count()).isLessThanOrEqualTo(MOST_LINES);
        assertThat(said.lines()).allMatch(line -> line.length() <= LONGEST);
    }

    private static void make(Path file, String content) throws Exception {
        Files.createDirectories(file.getParent());
        if (content.equals("FIFO")) {
            assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor())
                    .isZero();
        } else if (content.startsWith("LINK:")) {
            Files.createSymbolicLink(file, Path.of(content.substring(5)));
        } else if (content.startsWith("BYTES:")) {
            Files.write(file, HexFormat.of().parseHex(content.substring(6)));
        } else {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            Matcher repeated =
                    Pattern.compile("\\$\\{(\\d+)\\*(.*)\\}", Pattern.DOTALL).matcher(content);
            if (repeated.find()) {
                bytes.writeBytes(text(content.substring(0, repeated.start())));
                bytes.writeBytes(text(repeated.group(2).repeat(Integer.parseInt(repeated.group(1)))));
                bytes.writeBytes(text(content.substring(repeated.end())));
            } else {
                bytes.writeBytes(text(content));
            }
            Files.write(file, bytes.toByteArray());
        }
    }

    private static byte[] text(String written) {
        return written.replace("\\\\", "\0")
                .replace("\\n", "\n")
                .replace('\0', '\\')
                .getBytes(StandardCharsets.UTF_8);
    }
}
