package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of {@code examples/ci}: what can be checked of them without a CI server. */
class CiExamplesTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern COMMAND = Pattern.compile("bin/ycsb ([^|>&\\n]+)");

    @TempDir
    private Path directory;

    private World world;

    @BeforeEach
    void world() throws IOException {
        world = new World(directory)
                .with(new FakeEngine("embedded"))
                .file("bench/ycsb.properties", "op.timeout=2s\n")
                .file("base/bench/ycsb.properties", "op.timeout=1s\n")
                .file("change/bench/ycsb.properties", "op.timeout=2s\n")
                .homeFile("workloads/workloadb", Files.readString(ROOT.resolve("workloads/workloadb")));
    }

    /** All shell text of a file. */
    private static String scripts(Path file) throws IOException {
        StringBuilder text = new StringBuilder();
        collect(new YAMLMapper().readTree(file.toFile()), text);
        return text.toString().replaceAll("\\\\\\n\\s*", "");
    }

    private static void collect(JsonNode node, StringBuilder text) {
        if (node.isTextual()) {
            text.append(node.asText()).append('\n');
        }
        node.forEach(child -> collect(child, text));
    }

    private static List<List<String>> commands(Path file) throws IOException {
        List<List<String>> commands = new ArrayList<>();
        Matcher command = COMMAND.matcher(scripts(file));
        while (command.find()) {
            commands.add(List.of(command.group(1).strip().split("\\s+")));
        }
        return commands;
    }

    @ParameterizedTest
    @ValueSource(strings = {"github-actions.yml", "gitlab-ci.yml"})
    void commandsAreOnesThatThisVersionUnderstands(String name) throws IOException {
        List<List<String>> commands = commands(ROOT.resolve("examples/ci").resolve(name));

        assertThat(commands).extracting(words -> words.get(0)).containsExactly("drill", "ab");
        for (List<String> words : commands) {
            assertThat(Main.commandLine(world.surroundings())
                            .parseArgs(words.toArray(String[]::new))
                            .hasSubcommand())
                    .isTrue();
            words.stream().filter(word -> word.startsWith("workloads/")).forEach(file -> assertThat(ROOT.resolve(file))
                    .isRegularFile());
        }
        List<String> ab = new ArrayList<>(commands.get(1));
        ab.add("--dry-run");
        assertThat(world.execute(ab.toArray(String[]::new))).as(world.err()).isZero();
        assertThat(world.out()).contains("15 cells");
    }

    @Test
    void gitHubRunsItOnPullRequestsAndCommentsTheMarkdown() throws IOException {
        JsonNode workflow = new YAMLMapper()
                .readTree(ROOT.resolve("examples/ci/github-actions.yml").toFile());

        assertThat(workflow.path("on").has("pull_request")).isTrue();
        assertThat(workflow.path("permissions").path("pull-requests").asText()).isEqualTo("write");
        JsonNode steps = workflow.path("jobs").path("drill").path("steps");
        assertThat(steps).isNotEmpty().allMatch(step -> step.has("uses") != step.has("run"));
        assertThat(scripts(ROOT.resolve("examples/ci/github-actions.yml")))
                .contains(" | tee drill.txt", "--markdown ab.md", "examples/ci/comment results/drill drill.txt ab.md");
    }

    @Test
    void gitLabRunsItOnMergeRequestsAndKeepsTheTokenOutOfArguments() throws IOException {
        Path file = ROOT.resolve("examples/ci/gitlab-ci.yml");
        JsonNode job = new YAMLMapper().readTree(file.toFile()).path("drill");

        assertThat(job.path("rules").toString()).contains("merge_request_event");
        Stream.of("before_script", "script")
                .forEach(key -> assertThat(job.path(key)).isNotEmpty().allMatch(JsonNode::isTextual));
        assertThat(job.path("artifacts").path("reports").path("junit").asText()).isEqualTo("results/*.xml");
        assertThat(scripts(file).lines().filter(line -> line.contains("REVIEW_TOKEN")))
                .singleElement()
                .asString()
                .startsWith("umask 077; printf");
    }
}
