package io.ycsbdrill.fault.schedule;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import io.ycsbdrill.base.Phase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The schema accepts what the parser accepts, and nothing else: keys, required keys, words and phases, of every fault. */
class DrillSchemaTest {
    private static final JsonNode JSON = json();
    private static final JsonSchema SCHEMA =
            JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(JSON);
    private static final Pattern ALLOWED = Pattern.compile("; allowed: (.*)");
    private static final Pattern MISSING = Pattern.compile("steps\\[1]\\.(\\w+): is missing");
    private static final String STRANGE = "zzzzzzzz";

    /** For each key of a step a value that is right for every fault that has the key. */
    private static final Map<String, String> SAMPLES = Map.ofEntries(
            entry("step", "one"),
            entry("node", "n1"),
            entry("at", "1s"),
            entry("after", "two"),
            entry("delay", "1s"),
            entry("every", "30s"),
            entry("count", "3"),
            entry("steady", "true"),
            entry("mode", "abort"),
            entry("down", "5s"),
            entry("up", "5s"),
            entry("seed", "7"),
            entry("duration", "2s"),
            entry("process", "patroni"),
            entry("start_if_ejected", "false"),
            entry("direction", "to-client"),
            entry("from", "all"),
            entry("to", "[n2, n3]"),
            entry("groups", "[[1], [2, 3]]"),
            entry("latency", "20ms"),
            entry("jitter", "5ms"),
            entry("rate", "64KB/s"),
            entry("share", "80%"),
            entry("ahead", "500ms"),
            entry("behind", "500ms"),
            entry("period", "500ms"),
            entry("changes", "3"),
            entry("files", "'**.ibd'"),
            entry("command", "[stop, '{node}']"),
            entry("heal", "[start, '{node}']"),
            entry("verify", "[is-stopped, '{node}']"),
            entry("healed", "[is-up, '{node}']"),
            entry("shell", "false"),
            entry("timeout", "30s"),
            entry("set", "{threads: 8}"),
            entry("home", "/opt/next"),
            entry("fault", "kill"),
            entry("operation", "backup"));

    /** What a key needs beside it. */
    private static final Map<String, String> COMPANIONS = Map.of("delay", "after", "every", "count", "count", "every");

    private static JsonNode json() {
        try {
            return new ObjectMapper()
                    .readTree(Path.of("../workloads/drills/drill.schema.json").toFile());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    static Stream<String> faults() {
        return Stream.concat(FaultParser.FAULTS.keySet().stream(), FaultParser.OPERATIONS.keySet().stream());
    }

    @ParameterizedTest
    @MethodSource("faults")
    void everyKeyIsAllowedByBothOrByNeither(String fault) throws Exception {
        Set<String> known = knownTo(fault);
        Set<String> all = names(JSON.at("/$defs/step/properties"));
        assertThat(all).containsAll(known);
        all.removeAll(Set.of("fault", "operation")); // of which one is there already
        for (String key : all) {
            String drill = drill(with(minimal(fault), key));
            assertThat(problems(drill).isEmpty()).as("parser: %s", drill).isEqualTo(known.contains(key));
            assertThat(accepts(drill)).as("schema: %s", drill).isEqualTo(known.contains(key));
        }
    }

    @ParameterizedTest
    @MethodSource("faults")
    void everyRequiredKeyIsRequiredByBoth(String fault) throws Exception {
        Map<String, String> minimal = minimal(fault);
        assertThat(accepts(drill(minimal))).as("schema: %s", drill(minimal)).isTrue();
        for (String key : minimal.keySet()) {
            Map<String, String> less = new LinkedHashMap<>(minimal);
            less.remove(key);
            assertThat(problems(drill(less))).as("parser without %s", key).isNotEmpty();
            assertThat(accepts(drill(less))).as("schema without %s", key).isFalse();
        }
    }

    @ParameterizedTest
    @MethodSource("faults")
    void everyWordIsAllowedByBothOrByNeither(String fault) throws Exception {
        Set<String> words = new TreeSet<>(JSON.findValuesAsText("const"));
        JSON.findValues("enum").forEach(list -> list.forEach(word -> words.add(word.asText())));
        for (String key : knownTo(fault)) {
            Map<String, String> step = with(minimal(fault), key);
            step.put(key, STRANGE);
            Set<String> allowed = allowed(problems(drill(step)));
            boolean chosen = !allowed.isEmpty()
                    || JSON.at("/$defs/step/properties/" + key).toString().contains("\"enum\"");
            if (!chosen || key.equals("fault") || key.equals("operation") || key.equals("after")) {
                continue; // these have tests of their own
            }
            words.addAll(allowed);
            for (String word : words) {
                step.put(key, word);
                String drill = drill(step);
                assertThat(problems(drill).isEmpty()).as("parser: %s", drill).isEqualTo(allowed.contains(word));
                assertThat(accepts(drill)).as("schema: %s", drill).isEqualTo(allowed.contains(word));
            }
        }
    }

    @Test
    void theFaultsAreThoseOfTheParser() {
        assertThat(JSON.at("/$defs/step/properties/fault/enum"))
                .extracting(JsonNode::asText)
                .containsExactlyElementsOf(FaultParser.FAULTS.keySet());
        assertThat(JSON.at("/$defs/step/properties/operation/enum"))
                .extracting(JsonNode::asText)
                .containsExactlyElementsOf(FaultParser.OPERATIONS.keySet());
    }

    @Test
    void thePhasesAreThoseThatAStepCanWaitFor() {
        Matcher phases = Pattern.compile("\\(\\\\\\.\\((.*)\\)\\)")
                .matcher(JSON.at("/$defs/step/properties/after/pattern").asText());
        assertThat(phases.find()).isTrue();
        assertThat(phases.group(1).split("\\|"))
                .containsExactlyElementsOf(Arrays.stream(Phase.values())
                        .filter(phase -> phase != Phase.STEADY)
                        .map(Phase::label)
                        .toList());
    }

    @Test
    void theKeysBesideTheStepsAreThoseOfTheParser() {
        String step = ", steps: [{fault: kill, node: n1, at: 0s}]}";
        assertThat(names(JSON.path("properties")))
                .containsExactlyInAnyOrderElementsOf(allowed(problems("{" + STRANGE + ": 1" + step)));
        for (String section : List.of("steady", "limits", "load")) {
            assertThat(names(JSON.at("/$defs/" + section + "/properties")))
                    .containsExactlyInAnyOrderElementsOf(
                            allowed(problems("{" + section + ": {" + STRANGE + ": 1}" + step)));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "60%                                   | true",
                "1%                                    | true",
                "100%                                  | true",
                "99.5%                                 | true",
                "max                                   | true",
                "2000/s                                | true",
                "0.5/s                                 | true",
                "'{share: 60%, calibration: 10s}'      | true",
                "'{share: 60%}'                        | true",
                "0%                                    | false",
                "0.5%                                  | false",
                "101%                                  | false",
                "60                                    | false",
                "0.6                                   | false",
                "0/s                                   | false",
                "0.00/s                                | false",
                "2000                                  | false",
                "2000/m                                | false",
                "maximum                               | false",
                "'[60%]'                               | false",
                "'{calibration: 10s}'                  | false",
                "'{share: 60%, rate: 5/s}'             | false"
            })
    void theLoadsAreThoseOfTheParser(String load, boolean right) throws Exception {
        String drill = "{load: " + load + ", steps: [{fault: kill, node: n1, at: 0s}]}";

        assertThat(problems(drill).isEmpty()).as("parser: %s", problems(drill)).isEqualTo(right);
        assertThat(accepts(drill)).as("schema").isEqualTo(right);
    }

    @Test
    void theLimitsAreThoseOfTheParserAndInItsUnits() throws Exception {
        Map<Limit.Unit, String> values = Map.of(
                Limit.Unit.SECONDS, "5s", Limit.Unit.PERCENT, "50%", Limit.Unit.COUNT, "3", Limit.Unit.SWITCH, "any");
        for (Limit limit : Limit.values()) {
            for (Map.Entry<Limit.Unit, String> value : values.entrySet()) {
                String drill = "{cooldown: 60s, limits: {" + limit.key() + ": " + value.getValue()
                        + "}, steps: [{fault: restart, mode: kill, node: n1, at: 0s}]}";
                boolean right = Arrays.stream(Limit.values())
                                .filter(other -> other.key().equals(limit.key()))
                                .anyMatch(other -> other.unit() == value.getKey())
                        || limit == Limit.ACKED_LOST && value.getKey() == Limit.Unit.SWITCH;
                assertThat(problems(drill).isEmpty()).as(drill).isEqualTo(right);
                assertThat(accepts(drill)).as(drill).isEqualTo(right);
            }
        }
    }

    /** What the parser calls allowed beside an unknown key. */
    private static Set<String> knownTo(String fault) {
        Map<String, String> step = minimal(fault);
        step.put(STRANGE, "1");
        return allowed(problems(drill(step)));
    }

    /** The fault with the keys that it cannot do without. */
    private static Map<String, String> minimal(String fault) {
        Map<String, String> step = new LinkedHashMap<>(Map.of(
                FaultParser.OPERATIONS.containsKey(fault) ? "operation" : "fault", fault, "node", "n1", "at", "1s"));
        for (String problem : problems(drill(step))) {
            Matcher missing = MISSING.matcher(problem);
            assertThat(missing.find()).as(problem).isTrue();
            step.put(missing.group(1), sample(missing.group(1)));
        }
        assertThat(problems(drill(step))).isEmpty();
        return step;
    }

    private static Map<String, String> with(Map<String, String> step, String key) {
        step.computeIfAbsent(key, DrillSchemaTest::sample);
        if (COMPANIONS.containsKey(key)) {
            step.put(COMPANIONS.get(key), sample(COMPANIONS.get(key)));
        }
        if (step.containsKey("after")) {
            step.remove("at");
        }
        if (key.equals("behind")) {
            step.remove("ahead"); // one of both
        }
        if ("run".equals(step.get("fault")) && Set.of("duration", "healed").contains(key)) {
            step.put("heal", sample("heal"));
        }
        return step;
    }

    private static String sample(String key) {
        assertThat(SAMPLES).as("samples of keys").containsKey(key);
        return SAMPLES.get(key);
    }

    private static String drill(Map<String, String> step) {
        return step.entrySet().stream()
                .map(e -> e.getKey() + ": " + e.getValue())
                .collect(Collectors.joining(", ", "{steps: [{", "}, {step: two, fault: kill, node: n1, at: 0s}]}"));
    }

    private static List<String> problems(String drill) {
        try {
            DrillFile.parse("d.yaml", drill);
            return List.of();
        } catch (DrillFileException e) {
            return e.problems();
        }
    }

    private static boolean accepts(String drill) throws IOException {
        return SCHEMA.validate(new YAMLMapper().readTree(drill)).isEmpty();
    }

    /** The words that the problems list as allowed; none when they list none. */
    private static Set<String> allowed(List<String> problems) {
        Set<String> allowed = new LinkedHashSet<>();
        for (String problem : problems) {
            Matcher list = ALLOWED.matcher(problem);
            if (list.find()) {
                allowed.addAll(List.of(list.group(1).split(", ")));
            }
        }
        return allowed;
    }

    private static Set<String> names(JsonNode object) {
        Set<String> names = new TreeSet<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
