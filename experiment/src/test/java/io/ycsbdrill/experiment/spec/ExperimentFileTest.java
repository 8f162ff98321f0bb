package io.ycsbdrill.experiment.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.base.Durations;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExperimentFileTest {

    private static List<String> problems(String text) {
        try {
            ExperimentFile.parse("e.yaml", text, Words.ALL);
            return List.of();
        } catch (ExperimentFileException e) {
            return e.problems();
        }
    }

    @Test
    void everyCombinationOfLevelsIsAVariantAndTheFirstIsTheReference() {
        Experiment experiment = Words.experiment("""
                axes:
                  threads: [1, 4]
                  rows: {small: {fieldlength: 10}, large: {fieldlength: 1000, recordcount: 50}}
                fixed: {binding: native, workload: [a, b], recordcount: 100, audit: true}
                """);

        List<Variant> variants = experiment.variants();

        assertThat(variants)
                .extracting(Variant::levels)
                .containsExactly(
                        Map.of("threads", "1", "rows", "small"),
                        Map.of("threads", "1", "rows", "large"),
                        Map.of("threads", "4", "rows", "small"),
                        Map.of("threads", "4", "rows", "large"));
        assertThat(String.join(" ", variants.get(3).arguments(Command.RUN)))
                .isEqualTo("run native -P a -P b -p recordcount=50 --audit -threads 4 -p fieldlength=1000");
    }

    /** The option won over the property, so that the labels had no effect. */
    @Test
    void aLabelWinsOverASettingOfAllCellsThatHasAnotherName() {
        Experiment experiment = Words.experiment("""
                axes: {size: {small: {property.threadcount: 1}, large: {property.threadcount: 8}, usual: {}}}
                fixed: {binding: native, threads: 4, recordcount: 100}
                """);

        assertThat(experiment.variants())
                .extracting(variant -> String.join(" ", variant.arguments(Command.RUN)))
                .containsExactly(
                        "run native -p threadcount=1 -p recordcount=100",
                        "run native -p threadcount=8 -p recordcount=100",
                        "run native -threads 4 -p recordcount=100");
        assertThat(experiment.axisThatSets("threadcount")).contains("size");
    }

    @Test
    void clusterOptionsMayBeAnAxis() {
        Experiment experiment = Words.experiment("""
                axes: {backups: [1, 2]}
                fixed: {binding: native}
                cluster: {engine: embedded, data-nodes: 3, backups: 0}
                """);

        assertThat(experiment.variants())
                .extracting(variant -> variant.cluster().orElseThrow().options())
                .containsExactly(Map.of("data-nodes", "3", "backups", "1"), Map.of("data-nodes", "3", "backups", "2"));
        assertThat(experiment.variants().get(0).arguments(Command.RUN)).containsExactly("run", "native");
    }

    @Test
    void wholeCommandsKeepTheirWords() {
        Experiment experiment = Words.experiment("""
                axes:
                  version:
                    old: {command: [../old/bin/ycsb, run, native, -p, "a=b c"]}
                    new:
                      command: run native -p 'a=b c' --out={out}
                """);

        assertThat(experiment.variants())
                .extracting(Variant::command)
                .containsExactly(
                        List.of("../old/bin/ycsb", "run", "native", "-p", "a=b c"),
                        List.of("run", "native", "-p", "a=b c", "--out={out}"));
    }

    @Test
    void whatIsLeftOutHasItsDefault() {
        Experiment run = Words.experiment("{axes: {threads: [1]}, fixed: {binding: native}}");
        Experiment drill = Words.experiment("{command: drill, axes: {threads: [1]}, fixed: {binding: native}}");

        assertThat(run.name()).isEqualTo("e");
        assertThat(run.order()).isEqualTo(Order.RANDOM);
        assertThat(Words.experiment("{axes: {threads: [1]}, fixed: {binding: native}, ascend: threads}")
                        .order())
                .isEqualTo(Order.INTERLEAVED);
        assertThat(run.repeats()).isEqualTo(1);
        assertThat(run.settle()).isEqualTo(Duration.ZERO);
        assertThat(run.timeout()).isEqualTo(Duration.ofHours(1));
        assertThat(run.success()).isEqualTo(Success.ALL);
        assertThat(drill.success()).isEqualTo(Success.ANY);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {axes: {threads: [1]}, fixed: {binding: b, duration: 20m}}                                  | 1h
            {axes: {threads: [1]}, fixed: {binding: b, duration: 1h}}                                   | 2h
            {axes: {duration: [1s, 90m]}, fixed: {binding: b}}                                          | 3h
            {axes: {threads: [1]}, fixed: {binding: b, property.maxexecutiontime: 7200}}                | 4h
            {axes: {v: {old: {command: run b --duration=2h}, new: {command: run b --duration 1h}}}}     | 4h
            {axes: {threads: [1]}, fixed: {binding: b, duration: 2h}, timeout: 90m}                     | 90m
            """)
    void withoutATimeoutTheLongestCellHasTimeEnough(String text, String timeout) {
        assertThat(Words.experiment(text).timeout()).isEqualTo(Durations.parse(timeout));
    }

    @Test
    void allProblemsAreReportedAtOnceWithTheirLines() {
        assertThat(problems("""
                        axes:
                          thread: [1, 2]
                          threads: [1, 1]
                        fixed:
                          binding: native
                          db.passwd: hush
                          audit: perhaps
                        repeats: 0
                        ordr: random
                        """))
                .containsExactly(
                        "e.yaml:2: axes.thread: is neither a setting nor an option of \"run\" or of the cluster, nor one"
                                + " of YCSB's properties; did you mean \"threads\"?; write any other property as"
                                + " property.thread",
                        "e.yaml:3: axes.threads: \"1\" is in the list twice",
                        "e.yaml:6: fixed.db.passwd: a secret would be seen in the process list and in the results; put it"
                                + " into a property file and name that beside the workload: workload: [workloada,"
                                + " my.properties]",
                        "e.yaml:7: fixed.audit: \"perhaps\"; expected true or false",
                        "e.yaml:8: repeats: \"0\" is out of range; allowed: 1 to 1000",
                        "e.yaml:9: ordr: unknown key; did you mean \"order\"?; allowed: name, command, cluster, load, fixed, axes,"
                                + " share_cluster, renew_after_drill, until, repeats, order, seed, settle, timeout, estimate, success, ascend, gain, charts, claims");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {axes: {threads: [1]}}                                                              | fixed.binding: is missing
            {axes: {threads: [1]}, fixed: {binding: b}, share_cluster: true}                    | share_cluster: needs a cluster of the experiment
            {axes: {backups: [0, 1]}, fixed: {binding: b}, cluster: {engine: embedded}, share_cluster: true} | share_cluster: needs one cluster for all cells, or order: interleaved and repeats: 1
            {axes: {backups: [0, 1]}, fixed: {binding: b}, cluster: {engine: embedded}, order: interleaved, repeats: 3, share_cluster: true} | share_cluster: needs one cluster for all cells, or order: interleaved and repeats: 1
            {axes: {backups: [1]}, fixed: {binding: b}}                                         | say which cluster: cluster: {engine: embedded}
            {axes: {threads: [1]}, fixed: {binding: b, threads: 2}}                             | threads is an axis, too
            {axes: {threads: [1], x: {a: {threads: 2}}}, fixed: {binding: b}}                   | set by two axes
            {axes: {property.threadcount: [1]}, fixed: {binding: b, threads: 2}}                | what the axis property.threadcount sets
            {axes: {threads: [1], x: {a: {property.threadcount: 2}}}, fixed: {binding: b}}      | set by two axes
            {axes: {threads: [1]}, fixed: {binding: b}, ascend: rate}                           | "rate" is not an axis
            {axes: {threads: [1]}, fixed: {binding: b}, ascend: threads, order: random}         | cannot be combined with ascend
            {axes: {threads: [1]}, fixed: {binding: b}, order: sequential, until: 10%}          | until: cannot be combined with order: sequential
            {axes: {threads: [1]}, fixed: {binding: b}, ascend: threads, until: 10%}            | until: cannot be combined with ascend
            {axes: {threads: [1]}, fixed: {binding: b}, repeats: 4, until: 10%}                 | until: needs repeats of 5 or more: e.yaml has 4
            {axes: {threads: [1]}, fixed: {binding: b}, charts: [{x: threads, y: speed}]}       | "speed"; expected a column
            {axes: {x: {a: {command: run b}}, threads: [1]}}                                    | must be the only one
            {axes: {x: {a: {command: run b --out d}}}}                                          | --out is given by the experiment
            {axes: {x: {a: {command: run b -p db.passwd=hush}}}}                                | a secret would be seen
            {axes: {drill: [d]}, fixed: {binding: b}}                                           | axes.drill: is neither
            {axes: {threads: [1]}, fixed: {binding: b}, cluster: {engine: nbd}}                 | did you mean "ndb"?
            {axes: {threads: [1]}, fixed: {binding: b}, cluster: {engine: ndb, backups: 1}}     | cluster.backups: unknown key
            {axes: {threads: 1}, fixed: {binding: b}}                                           | expected a list of values
            {axes: {threads: [1, 2, 3]}, fixed: {binding: b}, repeats: 1000, success: {ok_share: 1}} | expected a percentage
            []                                                                                  | expected the keys of an experiment
            """)
    void refuses(String text, String message) {
        assertThat(problems(text)).anySatisfy(problem -> assertThat(problem).contains(message));
    }

    @Test
    void moreCellsThanAnybodyWaitsForAreRefused() {
        assertThat(problems("{axes: {threads: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]}, fixed: {binding: b}, repeats: 1000}"))
                .anySatisfy(problem -> assertThat(problem).contains("11000 cells; at most 10000"));
    }

    /** What a continued experiment reads. */
    @Test
    void theTextOfAnotherUntilHasThatAndAllElse() throws Exception {
        String text =
                "# why\n{axes: {threads: [1, 2]}, fixed: {binding: b, duration: 30s, rest.x: 'yes'}, until: 50%}\n";
        ExperimentFile changed = ExperimentFile.parse("e.yaml", text, Words.ALL).until("10%", Words.ALL);

        assertThat(changed.experiment().until()).contains(0.1);
        assertThat(ExperimentFile.parse("e.yaml", changed.text(), Words.ALL).experiment())
                .isEqualTo(changed.experiment());
        assertThat(ExperimentFile.parse("e.yaml", text, Words.ALL).text()).isEqualTo(text);
    }
}
