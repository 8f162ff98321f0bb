package io.ycsbdrill.fault.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.Fault;
import io.ycsbdrill.fault.FaultContractTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The drills that come with the project, their schema and their documentation agree with the parser. */
class SampleDrillsTest {
    private static final Path ROOT = Path.of("..");
    private static final Path DRILLS = ROOT.resolve("workloads/drills");

    static Stream<Path> samples() throws IOException {
        try (Stream<Path> files = Files.list(DRILLS)) {
            return files.filter(f -> f.toString().endsWith(".yaml")).sorted().toList().stream();
        }
    }

    private static JsonSchema schema() throws IOException {
        JsonNode json =
                new ObjectMapper().readTree(DRILLS.resolve("drill.schema.json").toFile());
        return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(json);
    }

    @ParameterizedTest
    @MethodSource("samples")
    void everySampleIsAcceptedByParserAndSchema(Path sample) throws Exception {
        DrillFile drill = DrillFile.read(sample);

        assertThat(drill.schedule().name() + ".yaml")
                .isEqualTo(sample.getFileName().toString());
        assertThat(schema().validate(new YAMLMapper().readTree(sample.toFile())))
                .isEmpty();
        assertThat(drill.text()).contains("# Question: ");
    }

    /**
     * What is due during an outage is worked off with what the load leaves of the maximum, and latency is that of the backlog until
     * then: a service that is well again must not be judged before.
     */
    @ParameterizedTest
    @ValueSource(strings = {"primary-kill", "primary-pause"})
    void theDataLastUntilTheBacklogOfTheLongestOutageThatIsAllowedIsWorkedOff(String name) throws Exception {
        JsonNode drill =
                new YAMLMapper().readTree(DRILLS.resolve(name + ".yaml").toFile());
        double load = number(drill.get("load"), "%") / 100;
        double outage = number(drill.at("/limits/max_write_outage"), "s");
        JsonNode step = drill.at("/steps/0");
        double recovered = number(step.has("down") ? step.get("down") : step.get("duration"), "s");

        assertThat(recovered + number(drill.get("cooldown"), "s"))
                .isGreaterThanOrEqualTo(outage + outage * load / (1 - load));
    }

    private static double number(JsonNode value, String unit) {
        assertThat(value.asText()).endsWith(unit);
        return Double.parseDouble(value.asText().replace(unit, ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{steps: []}",
                "{stepz: [{fault: kill, node: n1, at: 0s}]}",
                "{steps: [{fault: kil, node: n1, at: 0s}]}",
                "{steps: [{fault: kill, node: n1, at: 5}]}",
                "{steps: [{fault: kill, node: n1, at: 5s, after: x}]}",
                "{steps: [{fault: kill, node: n1, at: 5s, down: 5s}]}",
                "{steps: [{fault: kill, node: [n1, n1], at: 5s}]}",
                "{steps: [{fault: pause, node: n1, at: 5s}]}",
                "{steps: [{fault: kill, node: n1, at: 5s, every: 5s}]}",
                "{steps: [{fault: kill, node: n1, at: 5s}], limits: {min_throughput: 50}}",
                "{steps: [{fault: stop, node: n1, at: 5s, mode: kill}]}",
                "{steps: [{fault: cut, node: server1, at: 5s}]}",
                "{steps: [{fault: run, node: n1, at: 0s, shell: true, command: 'echo {node}'}]}",
                "{steps: [{fault: run, node: n1, at: 0s, command: [x], healed: [z]}]}",
                "{steps: [{fault: kill, node: n1, at: 0s, verify: [z]}]}",
                "{steps: [{fault: none, node: n1, at: 0s}]}",
                "{steps: [{fault: reset, node: server1, at: 5s, duration: 1s}]}",
                "{steps: [{fault: delay, node: server1, at: 5s, duration: 1s}]}",
                "{steps: [{fault: throttle, node: server1, at: 5s, duration: 1s, rate: 64KB}]}",
                "{steps: [{fault: disk-stall, node: n1, at: 5s}]}",
                "{steps: [{fault: bit-flip, node: n1, at: 5s, changes: 0}]}",
                "{steps: [{fault: truncate, node: n1, at: 5s, duration: 1s}]}",
                "{steps: [{fault: bit-flip, node: n1, at: 5s, files: ''}]}",
                "{steps: [{fault: bit-flip, node: n1, at: 5s, files: '/etc/**'}]}",
                "{steps: [{fault: bit-flip, node: n1, at: 5s, files: '../**'}]}",
                "{steps: [{fault: bit-flip, node: n1, at: 5s, files: 'a/..'}]}",
                "{steps: [{fault: clock-jump, node: n1, at: 5s, duration: 1s}]}",
                "{steps: [{fault: clock-jump, node: n1, at: 5s, duration: 1s, ahead: 1s, behind: 1s}]}",
                "{steps: [{fault: clock-jump, node: n1, at: 5s, ahead: 1s}]}",
                "{steps: [{fault: clock-skew, node: n1, at: 5s, duration: 1s, ahead: 100ms, period: 1s}]}",
                "{steps: [{fault: clock-strobe, node: n1, at: 5s, duration: 1s, ahead: 1s}]}",
                "{steps: [{fault: pause, node: n1, at: 5s, duration: 1s, ahead: 1s}]}",
                "{steps: [{fault: link-duplicate, node: n1, at: 5s, duration: 1s}]}",
                "{steps: [{fault: link-corrupt, node: n1, at: 5s, share: 1%}]}",
                "{steps: [{fault: isolate, node: n1, at: 5s}]}",
                "{steps: [{fault: isolate, node: n1, at: 5s, duration: 1s, to: nodes}]}",
                "{steps: [{fault: isolate, node: n1, at: 5s, duration: 1s, from: [n2, clients]}]}",
                "{steps: [{fault: one-way, node: n1, at: 5s, duration: 1s}]}",
                "{steps: [{fault: one-way, node: n1, at: 5s, duration: 1s, to: []}]}",
                "{steps: [{fault: partition, node: all, at: 5s, duration: 1s}]}",
                "{steps: [{fault: partition, node: all, at: 5s, duration: 1s, groups: [[1, 2]]}]}",
                "{steps: [{fault: partition, node: all, at: 5s, duration: 1s, groups: [1, 2]}]}",
                "{steps: [{fault: partition, node: all, at: 5s, duration: 1s, groups: [[1], []]}]}",
                "{steps: [{fault: ring, node: all, at: 5s, duration: 1s, groups: [[1], [2]]}]}",
                "{steps: [{fault: flaky, node: n1, at: 5s, duration: 1s, up: 1s}]}",
                "{steps: [{fault: isolate, node: n1, at: 5s, duration: 1s, up: 1s, down: 1s}]}",
                "{steps: [{fault: link-loss, node: n1, at: 5s, duration: 1s}]}",
                "{steps: [{fault: link-delay, node: n1, at: 5s, duration: 1s, rate: 64KB/s}]}",
                "{steps: [{fault: link-delay, node: n1, at: 5s, duration: 1s, latency: 0s}]}",
                "{steps: [{fault: link-delay, node: n1, at: 5s, duration: 1s, latency: 0.5ms}]}",
                "{steps: [{fault: link-throttle, node: n1, at: 5s, rate: 64KB/s}]}",
                "{steps: [{fault: link-throttle, node: n1, at: 5s, duration: 1s, rate: 500B/s}]}",
                "{steps: [{fault: kill, node: {rolling: all}, at: 5s}]}",
                "{steps: [{fault: kill, node: {rolling: [n1, n1]}, at: 5s}]}",
                "{steps: [{fault: kill, node: {rolling: [n1], random: [n2]}, at: 5s}]}",
                "{steps: [{fault: kill, node: {}, at: 5s}]}",
                "{steps: [{fault: kill, node: ['zone:b'], at: 5s}]}",
                "{steps: [{operation: back-up, node: n1, at: 5s}]}",
                "{steps: [{operation: backup, fault: kill, node: n1, at: 5s}]}",
                "{steps: [{operation: backup, node: n1, at: 5s, duration: 1s}]}",
                "{steps: [{operation: rolling-config, node: n1, at: 5s}]}",
                "{steps: [{operation: rolling-config, node: n1, at: 5s, set: {}}]}",
                "{steps: [{operation: rolling-config, node: n1, at: 5s, set: {a: [1]}}]}",
                "{steps: [{fault: kill, node: n1, at: 5s, set: {a: 1}}]}",
                "{steps: [{fault: backup, node: n1, at: 5s}]}",
                "{steps: [{fault: starve, node: n1, at: 5s, duration: 1s}]}",
                "{steps: [{fault: pause, node: n1, at: 5s, duration: 1s, share: 50%}]}",
                "{steps: [{fault: disk-slow, node: n1, at: 5s, duration: 1s}]}",
                "{steps: [{fault: disk-full, node: n1, at: 5s, duration: 1s, latency: 5ms}]}",
                "{steps: [{fault: blackhole, node: server1, at: 5s, duration: 1s, direction: up}]}",
                "{steps: [{fault: kill, node: n1, after: x.recoverd}, {step: x, fault: restart, node: n1, at: 0s}]}"
            })
    void whatTheParserRejectsTheSchemaRejectsToo(String text) throws Exception {
        assertThatCode(() -> DrillFile.parse("bad.yaml", text)).isInstanceOf(DrillFileException.class);
        assertThat(schema().validate(new YAMLMapper().readTree(text))).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{steady: off, steps: [{fault: kill, node: 3, at: 0s}]}",
                "{steps: [{fault: run, node: [1, 2], at: 0s, command: [ssh, '{host}', sleep, 5], heal: [x], duration: 5s}]}",
                "{steps: [{fault: run, node: n1, at: 0s, shell: true, command: 'echo $NODE', heal: x, verify: y, healed: z}]}",
                "{steps: [{fault: none, node: random, at: 0s, duration: 5s}]}",
                "{steps: [{fault: stop, node: primary, mode: abort, at: 1.5s, every: 30s, count: all}]}",
                "{steps: [{fault: kill, node: all, at: 0s}]}",
                "{steps: [{fault: restart, node: {rolling: [1, 3]}, at: 0s, every: 0s, count: all}]}",
                "{steps: [{fault: cut, node: [server1, server2], at: 0s, duration: 5s}]}",
                "{steps: [{fault: disk-slow, node: n1, at: 0s, duration: 5s, latency: 5ms, jitter: 1ms}]}",
                "{steps: [{fault: disk-error, node: primary, at: 0s, duration: 5s}]}",
                "{steps: [{fault: isolate, node: primary, at: 0s, duration: 5s}]}",
                "{steps: [{fault: isolate, node: n1, at: 0s, duration: 5s, from: clients}]}",
                "{steps: [{fault: isolate, node: n1, at: 0s, duration: 5s, from: [n2, 3]}]}",
                "{steps: [{fault: one-way, node: n1, at: 0s, duration: 5s, to: n2}]}",
                "{steps: [{fault: one-way, node: n1, at: 0s, duration: 5s, to: 2, from: all}]}",
                "{steps: [{fault: partition, node: all, at: 0s, duration: 5s, groups: [[1], [n2, n3]]}]}",
                "{steps: [{fault: ring, node: all, at: 0s, duration: 5s}]}",
                "{steps: [{fault: flaky, node: n1, at: 0s, duration: 9s, up: 2s, down: 500ms, seed: 7}]}",
                "{steps: [{fault: link-loss, node: n1, at: 0s, duration: 9s, share: 5%}]}",
                "{steps: [{fault: link-duplicate, node: n1, at: 0s, duration: 9s, share: 5%}]}",
                "{steps: [{fault: link-corrupt, node: n1, at: 0s, duration: 9s, share: 1%}]}",
                "{steps: [{fault: bit-flip, node: n1, at: 0s, changes: 100, files: '**.ibd', seed: 7}]}",
                "{steps: [{fault: truncate, node: random, at: 0s, down: 1s}]}",
                "{steps: [{fault: clock-jump, node: n1, at: 0s, duration: 9s, behind: 1h}]}",
                "{steps: [{fault: clock-skew, node: primary, at: 0s, duration: 9s, ahead: 900ms}]}",
                "{steps: [{fault: clock-strobe, node: n1, at: 0s, duration: 9s, ahead: 5s, period: 500ms}]}",
                "{steps: [{fault: link-delay, node: n1, at: 0s, duration: 9s, latency: 5ms, jitter: 20ms}]}",
                "{steps: [{fault: link-delay, node: n1, at: 0s, duration: 9s, latency: 1ms}]}",
                "{steps: [{fault: link-delay, node: n1, at: 0s, duration: 9s, latency: 0.001s}]}",
                "{steps: [{fault: delay, node: server1, at: 0s, duration: 9s, latency: 0s, jitter: 5ms}]}",
                "{steps: [{fault: link-throttle, node: n1, at: 0s, duration: 9s, rate: 1MB/s}]}",
                "{steps: [{operation: backup, node: random, at: 0s}]}",
                "{steps: [{operation: rolling-config, node: rolling, at: 0s, every: 0s, count: all, set: {DataMemory: 300M, A: 1, B: true}}]}",
                "{steps: [{fault: starve, node: primary, at: 0s, duration: 5s, share: 90%}]}",
                "{steps: [{fault: blackhole, node: server1, at: 0s, duration: 5s, direction: to-client}]}",
                "{steps: [{fault: throttle, node: rolling, at: 0s, duration: 5s, rate: 64KB/s, every: 9s, count: all}]}",
                "{steps: [{fault: resume, node: one-per-group, at: 100ms, every: 1m, count: 3}]}"
            })
    void whatTheParserAcceptsTheSchemaAcceptsToo(String text) throws Exception {
        assertThatCode(() -> DrillFile.parse("good.yaml", text)).doesNotThrowAnyException();
        assertThat(schema().validate(new YAMLMapper().readTree(text))).isEmpty();
    }

    @Test
    void everyFaultHasParserEntryDocumentationAndSample() throws Exception {
        List<Fault> parsed = Stream.concat(samples().map(SampleDrillsTest::steps), Stream.of(inDocs()))
                .flatMap(List::stream)
                .map(ScheduledFault::fault)
                .toList();

        assertThat(parsed.stream().map(Fault::getClass).collect(Collectors.<Class<?>>toSet()))
                .containsAll(FaultContractTest.records(Fault.class).toList());
        Set<String> names = new HashSet<>(FaultParser.FAULTS.keySet());
        names.addAll(FaultParser.OPERATIONS.keySet());
        assertThat(parsed).extracting(Fault::name).containsAll(names);
        String docs = docs();
        names.forEach(name -> assertThat(docs).contains("## " + name + "\n"));
    }

    @Test
    void everyPhaseSelectorAndLimitIsDocumented() throws IOException {
        String docs = Files.readString(ROOT.resolve("docs/drills.md"));

        SelectorParser.WORDS.keySet().forEach(word -> assertThat(docs).contains("`" + word + "`"));
        Arrays.stream(Phase.values()).forEach(p -> assertThat(docs).contains("`" + p.label() + "`"));
        Arrays.stream(Limit.values()).forEach(limit -> assertThat(docs).contains("`" + limit.key() + "`"));
    }

    private static List<ScheduledFault> steps(Path file) {
        try {
            return DrillFile.read(file).schedule().steps();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (DrillFileException e) {
            throw new AssertionError(e);
        }
    }

    /** The pages of all faults and operations. */
    private static String docs() throws IOException {
        StringBuilder all = new StringBuilder();
        for (String page : List.of(
                "faults.md",
                "faults-of-nodes.md",
                "faults-of-the-network.md",
                "faults-of-disks.md",
                "faults-of-clocks.md",
                "operations.md")) {
            all.append(Files.readString(ROOT.resolve("docs").resolve(page)));
        }
        return all.toString();
    }

    /** The example drills of these pages: they must be right too. */
    private static List<ScheduledFault> inDocs() throws IOException, DrillFileException {
        String docs = docs();
        StringBuilder steps = new StringBuilder("steps:\n");
        for (String block : docs.split("```yaml\n")) {
            if (block.startsWith("- ")) {
                steps.append(block, 0, block.indexOf("```"));
            }
        }
        return DrillFile.parse("faults.yaml", steps.toString()).schedule().steps();
    }
}
