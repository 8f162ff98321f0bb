package io.ycsbdrill.experiment.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.experiment.spec.Command;
import io.ycsbdrill.experiment.spec.Experiment;
import io.ycsbdrill.experiment.spec.ExperimentFile;
import io.ycsbdrill.experiment.spec.ExperimentFileException;
import io.ycsbdrill.experiment.spec.Setting;
import io.ycsbdrill.experiment.spec.Words;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SuiteFileTest {
    private static final String SUITE = """
            title: A title
            source: {text: who, url: https://example.org}
            notes: [a note]
            experiments:
              one:
                axes: {threads: [1, 2], copies: {none: {}, one: {fieldlength: 400}}}
                fixed: {binding: native, recordcount: 1000}
                claims:
                  c: {quote: q, kind: absolute, figure: ok_share, of: {threads: 2, copies: one}}
              two:
                name: the second
                axes: {threads: [4, 8]}
                fixed: {binding: native}
                repeats: 5
            engines:
              embedded:
                all: {cluster: {data-nodes: 2}}
                one: {axes: {copies: {one: {backups: 1}}}}
              ndb: {}
            scale:
              seed: {}
              small:
                all: {repeats: 3, fixed: {recordcount: 10}}
                one: {axes: {threads: [1]}, claims: {c: {of: {threads: 1}}}}
                two: {axes: {threads: {low: {threads: 4}}}}
              small on ndb: {two: {repeats: 4, axes: {threads: ~, duration: [1s, 2s]}}}
            """;

    private static Suite suite(Optional<String> engine, String scale, Map<String, String> properties) {
        try {
            return SuiteFile.parse("dir/my.yaml", SUITE, new SuiteChoice(engine, scale, properties), Words.ALL)
                    .suite();
        } catch (ExperimentFileException e) {
            throw new AssertionError(e);
        }
    }

    private static String fixed(Experiment experiment, String key) {
        return experiment.fixed().stream()
                .filter(setting -> setting.key().equals(key))
                .map(Setting::value)
                .findFirst()
                .orElse("");
    }

    @Test
    void aScaleAndAnEngineChangeKeysOfTheExperiments() {
        Suite suite = suite(Optional.empty(), "small", Map.of());

        Experiment one = suite.experiments().get("one").experiment();
        assertThat(suite.name()).isEqualTo("my");
        assertThat(suite.engine()).contains("embedded");
        assertThat(one.name()).isEqualTo("my one");
        assertThat(one.repeats()).isEqualTo(3);
        assertThat(fixed(one, "recordcount")).isEqualTo("10");
        assertThat(fixed(one, "binding")).isEqualTo("native");
        assertThat(one.axes().get(0).levels()).hasSize(1);
        assertThat(one.variants().get(1).cluster().orElseThrow().options())
                .isEqualTo(Map.of("data-nodes", "2", "backups", "1"));
        assertThat(one.claims().get(0).of()).isEqualTo(Map.of("threads", "1", "copies", "one"));
        assertThat(suite.experiments().get("two").experiment().name()).isEqualTo("the second");
        assertThat(suite.experiments().get("two").experiment().axes().get(0).levels())
                .extracting(level -> level.label())
                .containsExactly("low");
    }

    @Test
    void theSourcesScaleOnAnotherEngineLeavesTheRest() {
        Experiment one = suite(Optional.of("ndb"), "seed", Map.of())
                .experiments()
                .get("one")
                .experiment();

        assertThat(one.cluster().orElseThrow().engine()).isEqualTo("ndb");
        assertThat(one.cluster().orElseThrow().options()).isEmpty();
        assertThat(one.axes().get(0).levels()).hasSize(2);
        assertThat(fixed(one, "recordcount")).isEqualTo("1000");
    }

    @Test
    void aScaleCanDifferOnAnEngine() {
        Experiment onNdb = suite(Optional.of("ndb"), "small", Map.of())
                .experiments()
                .get("two")
                .experiment();
        Experiment elsewhere = suite(Optional.empty(), "small", Map.of())
                .experiments()
                .get("two")
                .experiment();

        assertThat(onNdb.repeats()).isEqualTo(4);
        assertThat(onNdb.axes()).extracting(axis -> axis.name()).containsExactly("duration");
        assertThat(elsewhere.repeats()).isEqualTo(3);
    }

    @Test
    void aFactorScalesTheRowsOfTheSource() {
        Suite suite = suite(Optional.empty(), "0.05", Map.of());

        assertThat(suite.scale()).isEqualTo("0.05");
        assertThat(fixed(suite.experiments().get("one").experiment(), "recordcount"))
                .isEqualTo("50");
        assertThat(suite.experiments().get("two").experiment().repeats()).isEqualTo(5);
    }

    @Test
    void aFactorLeavesWhatIsTypedAsItIs() {
        Suite suite = suite(Optional.empty(), "0.01", Map.of("recordcount", "5000"));

        assertThat(fixed(suite.experiments().get("one").experiment(), "recordcount"))
                .isEqualTo("5000");
    }

    @Test
    void aFactorScalesTheRowsOfLabelsToo() throws ExperimentFileException {
        String labels = SUITE.replace(
                        "axes: {threads: [4, 8]}",
                        "axes: {rows: {small: {fieldlength: 400, recordcount: 100}, large: {recordcount: 25}}}")
                .replaceAll("    two: .*\n|  small on ndb: .*\n", "");

        Experiment two = SuiteFile.parse(
                        "my.yaml", labels, new SuiteChoice(Optional.empty(), "0.1", Map.of()), Words.ALL)
                .suite()
                .experiments()
                .get("two")
                .experiment();

        assertThat(two.axes().get(0).levels())
                .extracting(level -> level.settings().stream()
                        .map(setting -> setting.key() + "=" + setting.value())
                        .toList()
                        .toString())
                .containsExactly("[fieldlength=400, recordcount=10]", "[recordcount=3]");
        assertThat(two.axisThatSets("recordcount")).contains("rows");
        assertThat(two.axisThatSets("operationcount")).isEmpty();
    }

    @Test
    void propertiesWithoutAnEngineNameADatabaseThatIsThere() {
        Suite suite = suite(Optional.empty(), "seed", Map.of("db.url", "jdbc:x", "odd", "1"));

        Experiment two = suite.experiments().get("two").experiment();
        assertThat(suite.engine()).isEmpty();
        assertThat(two.cluster()).isEmpty();
        assertThat(fixed(two, "db.url")).isEqualTo("jdbc:x");
        assertThat(fixed(two, "property.odd")).isEqualTo("1");
    }

    /** Its copies are those of a cluster that is not started: one database would be measured under two names. */
    @Test
    void levelsThatOnlyAnEngineTellsApartAreRefusedWithoutOne() throws ExperimentFileException {
        String same = SUITE.replace("one: {fieldlength: 400}", "one: {}");

        assertThatThrownBy(() -> SuiteFile.parse(
                        "my.yaml",
                        same,
                        new SuiteChoice(Optional.empty(), "seed", Map.of("db.url", "jdbc:x")),
                        Words.ALL))
                .isInstanceOf(ExperimentFileException.class)
                .hasMessageContaining(
                        "one.axes.copies: without a cluster of an engine its levels none, one are the same");
        SuiteFile.parse("my.yaml", same, new SuiteChoice(Optional.of("embedded"), "seed", Map.of()), Words.ALL);
    }

    /** The option won, so that what was typed had no effect. */
    @Test
    void whatIsTypedWinsOverAnOptionOfAllCells() throws ExperimentFileException {
        String threads = SUITE.replace(
                        "axes: {threads: [4, 8]}\n    fixed: {binding: native}",
                        "axes: {recordcount: [4, 8]}\n    fixed: {binding: native, threads: 48}")
                .replaceAll("    two: .*\n|  small on ndb: .*\n", "");
        SuiteChoice choice = new SuiteChoice(Optional.empty(), "seed", Map.of("threadcount", "8"));

        Experiment two = SuiteFile.parse("my.yaml", threads, choice, Words.ALL)
                .suite()
                .experiments()
                .get("two")
                .experiment();

        assertThat(two.variants())
                .extracting(variant -> String.join(" ", variant.arguments(Command.RUN)))
                .containsExactly(
                        "run native -p threadcount=8 -p recordcount=4", "run native -p threadcount=8 -p recordcount=8");
    }

    @Test
    void anAxisSetsThePropertyOfItsOption() {
        Suite suite = suite(Optional.of("ndb"), "small", Map.of());

        assertThat(suite.experiments().get("one").experiment().axisThatSets("threadcount"))
                .contains("threads");
        assertThat(suite.experiments().get("two").experiment().axisThatSets("maxexecutiontime"))
                .contains("duration");
    }

    @Test
    void theTextOfAnExperimentIsTheExperimentAgain() throws ExperimentFileException {
        for (ExperimentFile file :
                suite(Optional.empty(), "small", Map.of()).experiments().values()) {
            assertThat(ExperimentFile.parse("again.yaml", file.text(), Words.ALL)
                            .experiment())
                    .isEqualTo(file.experiment());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "title: A title|titel: A title|my.yaml:1: titel: unknown key",
                "url: https://example.org|link: x|source.url: is missing",
                "    repeats: 5|    repeat: 5|my.yaml:14: repeat: unknown key; did you mean \"repeats\"?",
                "    all: {repeats: 3,|    al: {repeats: 3,|scale.small.al: unknown key",
                "  ndb: {}|  nbd: {}|engines: unknown engine \"nbd\"; did you mean \"ndb\"?",
                "  seed: {}|  sead: {}|scale.seed: is missing",
                "  two:|  all:|an experiment cannot be called \"all\"",
                "  two:|  state:|an experiment cannot be called \"state\"",
                "of: {threads: 1}|of: {threads: 7}|claims.c.of.threads: \"7\" is not a level of it",
                "small on ndb|small on nbd|expected one of the other scales, and one of the engines",
                "small on ndb|tiny on ndb|expected one of the other scales, and one of the engines",
                "  ndb: {}|  ndb: 5|engines.ndb: \"5\"; expected changes of experiments"
            })
    void saysWhatIsWrongWithItsLine(String from, String to, String problem) {
        assertThat(SUITE).contains(from);
        SuiteChoice choice = new SuiteChoice(Optional.empty(), "small", Map.of());

        assertThatThrownBy(() -> SuiteFile.parse(
                        "my.yaml", SUITE.replaceFirst(java.util.regex.Pattern.quote(from), to), choice, Words.ALL))
                .isInstanceOf(ExperimentFileException.class)
                .hasMessageContaining(problem);
    }

    @ParameterizedTest
    @CsvSource({
        "galera, small, does not say how to run it on",
        ", tiny, expected seed, small or a factor",
        ", 0, or a factor",
        "ndb, small on ndb, expected seed, small or a factor"
    })
    void anEngineOrScaleThatIsNotThereIsRefused(String engine, String scale, String problem) {
        SuiteChoice choice = new SuiteChoice(Optional.ofNullable(engine), scale, Map.of());

        assertThatThrownBy(() -> SuiteFile.parse("my.yaml", SUITE, choice, Words.ALL))
                .isInstanceOf(ExperimentFileException.class)
                .hasMessageContaining(problem);
    }
}
