package io.ycsbdrill.client.cli;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Drill files that are wrong: {@code --check} and a drill say the same, with file and line, and nothing is started. */
@Timeout(120)
class BadDrillFilesTest {
    private static final String GOOD = "workload=site.ycsb.workloads.CoreWorkload\nrecordcount=10\noperationcount=10\n";

    @TempDir
    private Path root;

    private BadInput input;

    @BeforeEach
    void world() {
        input = new BadInput(root);
        input.world().file("w", GOOD);
    }

    private void refused(String drill, String parts) {
        String text = drill == null
                ? ""
                : drill.replace("\\n", "\n").replace("\\t", "\t").replace("\\0", "\0");
        input.world().file("d.yaml", text);
        input.refused("drill --check d.yaml", 2, "d.yaml:;;" + parts);
        input.refused("drill native -P w -D d.yaml --out r", 2, "d.yaml:;;" + parts);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                                                   | the file is empty
            \\0\\0\\0                              | not YAML: special characters are not allowed
            just words                             | "just words"; expected the keys of a drill: steps, limits
            [1, 2]                                 | a list; expected the keys of a drill
            name: x                                | steps: is missing; a list of at least one step
            steps: []                              | steps: a list; expected a list of at least one step
            steps: null                            | steps: nothing; expected a list
            steps: {a: b}                          | steps: keys and values; expected a list
            steps:\\n\\t- {fault: kill}            | not YAML: while scanning;; found character;; cannot start any token
            steps: [{fault: kill, at: 1s           | not YAML: while parsing a flow mapping;; expected
            steps: [*x]                            | aliases (*name) are not supported; write it out
            steps: [1]\\n---\\nsteps: []           | a second document; such a file has one
            """)
    void thatAreNoDrillsAreRefused(String drill, String parts) {
        refused(drill, parts);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            fault: explode, node: random, at: 1s            | steps[1].fault: "explode"; allowed: kill, stop
            node: random, at: 1s                            | steps[1].fault: is missing; allowed: kill
            fault: kill, node: random, at: 1s, att: 2s      | steps[1].att: unknown key; did you mean "at"?
            fault: kill, node: random, at: 1s, at: 2s       | steps[1].at: is given twice; first in line 1
            fault: kill, node: random, at: 5                | steps[1].at: "5" has no unit; expected a number with a unit
            fault: kill, node: random, at: -5s              | steps[1].at: "-5s"; expected a number with a unit
            fault: kill, node: random, at: 5 s              | steps[1].at: "5 s"; expected
            fault: kill, node: random, at: 25h              | steps[1].at: "25h" is out of range; allowed:
            fault: kill, node: random                       | steps[1].at: is missing; expected one of them: at: 20s, at: <node>.<phase>, or after:
            fault: kill, node: random, at: 1s, after: x     | steps[1].after: cannot be combined with at; expected one of them
            fault: kill, at: 1s                             | steps[1].node: is missing;; rolling: <list of ids>, zone:<name> or same-as:<step>
            fault: kill, node: [], at: 1s                   | steps[1].node: a list; expected a list of at least one
            fault: kill, node: [n1, n1], at: 1s             | steps[1].node: a node is given twice in [n1, n1]
            fault: kill, node: {a: b}, at: 1s               | steps[1].node.rolling: is missing;; steps[1].node.a: unknown key; allowed: rolling
            fault: kill, node: same-as:nothing, at: 1s      | "same-as:nothing" does not name another step
            fault: kill, node: random, after: b.down        | steps[1].after: "b" does not name another step
            step: a, fault: kill, node: random, after: a    | steps[1].after: "a" does not name another step
            fault: kill, node: random, at: 1s, delay: 2s    | steps[1].delay: belongs to after
            fault: kill, node: random, at: 1s, every: 1s    | steps[1].count: is missing; every and count belong together
            fault: kill, node: random, at: 1s, count: 3     | steps[1].every: is missing
            fault: kill, node: random, at: 1s, every: 1s, count: 0   | steps[1].count: "0" is out of range; allowed: 1 to 1000
            fault: kill, node: random, at: 1s, every: 1s, count: few | steps[1].count: "few"; expected a whole number
            fault: kill, node: random, at: 1s, mode: kill   | steps[1].mode: unknown key
            fault: kill, node: random, at: 1s, steady: maybe | steps[1].steady: "maybe";; true
            fault: restart, node: random, at: 1s, mode: softly | steps[1].mode: "softly"; allowed: graceful, abort, kill
            fault: restart, node: random, at: 1s, down: 3   | steps[1].down: "3" has no unit
            fault: pause, node: random, at: 1s              | steps[1].duration: is missing; how long the node is paused
            fault: pause, node: random, at: 1s, duration: 0s | steps[1].duration: "0s" is out of range; allowed: 1ms to 24h
            fault: cut, node: server1, at: 1s               | steps[1].duration: is missing; how long it lasts
            fault: delay, node: server1, at: 1s, duration: 1s | steps[1].latency: is missing; delay added in each direction
            fault: throttle, node: server1, at: 1s, duration: 1s, rate: fast | steps[1].rate: "fast"; expected bytes per second
            fault: run, node: random, at: 1s                | steps[1].command: is missing; a list of program and arguments
            fault: run, node: random, at: 1s, command: reboot | steps[1].command
            """)
    void withAWrongStepAreRefused(String step, String parts) {
        refused("steps: [{" + step + "}]", parts);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            stepss: []                     | stepss: unknown key; did you mean "steps"?
            name: "two words"              | name: "two words"; expected letters, digits, - and _
            seed: x                        | seed: "x"; expected a whole number
            cooldown: long                 | cooldown: "long"; expected a number with a unit
            recovery_timeout: 0s           | recovery_timeout: "0s" is out of range; allowed: 1s to 24h
            steady: maybe                  | steady: "maybe"; expected keys and values
            steady: {window: 1s}           | steady.window: "1s" is out of range; allowed: 2s to 600s
            steady: {slope: 30}            | steady.slope: "30"; expected a percentage: 50%
            steady: {variation: 0%}        | steady.variation: "0%" is out of range; allowed: 0.1%
            steady: {after: 5m, within: 1m} | steady.within: is shorter than after or two windows
            steady: {untill: 5m}           | steady.untill: unknown key
            limits: 5s                     | limits: "5s"; expected keys and values
            limits: {max_recovry: 1s}      | limits.max_recovry: unknown key; did you mean "max_recovery"?
            limits: {max_recovery: 20}     | limits.max_recovery: "20" has no unit
            limits: {max_recovery: }       | limits.max_recovery: nothing; expected a number with a unit
            limits: {min_throughput: 80}   | limits.min_throughput: "80"; expected a percentage
            limits: {min_throughput: 180%} | limits.min_throughput: "180%" is out of range; allowed: 0.0% to 100.0%
            limits: {max_failed: -1}       | limits.max_failed: "-1" is out of range; allowed: 0 to
            limits: {max_unknown: 1.5}     | limits.max_unknown: "1.5"; expected a whole number
            limits: {acked_lost: none}     | limits.acked_lost: "none"; expected a whole number
            """)
    void withAWrongKeyBesideTheStepsAreRefused(String line, String parts) {
        refused(line + "\nsteps: [{fault: kill, node: random, at: 1s}]", parts);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            step: a, fault: kill, node: random, at: 1s | step: a, fault: kill, node: random, at: 2s       | steps[2].step: "a" is also the name of an earlier step
            step: a, fault: kill, node: random, at: 1s | fault: kill, node: random, after: a.nophase      | "a.nophase": unknown phase "nophase"; allowed: fault, failure-handling
            step: a, fault: kill, node: random, after: b | step: b, fault: kill, node: random, after: a   | steps
            """)
    void whoseStepsDoNotFitTogetherAreRefused(String first, String second, String parts) {
        refused("steps:\n  - {" + first + "}\n  - {" + second + "}\n", parts);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            drill native -P w -D d.yaml                          | d.yaml: network faults;; need the binding jdbc or rest
            drill nativ -P w -D d.yaml                           | unknown binding "nativ"
            drill basic -P w -D d.yaml                           | db.hosts;; rest.endpoints
            drill basic -P w -D d.yaml --junit full              | --junit ROOT/cwd/full cannot be written
            drill basic -P w -D d.yaml --junit /proc/ycsb/y.xml  | --junit /proc/ycsb/y.xml cannot be written;; name another file
            drill basic -P w -D d.yaml --window 7                | --window: "7" has no unit; expected a number with a unit
            drill basic -P w -D d.yaml --quiet --window 7        | --window: "7" has no unit; expected a number with a unit
            """)
    void thatAreRightButCannotBeDoneAreRefused(String typed, String parts) {
        input.world()
                .file("d.yaml", "steps: [{fault: cut, duration: 1s, node: server1, at: 1s}]")
                .file("full/x", "x");

        input.refused(typed, 2, parts);
    }

    @Test
    void whatNoClusterCanDoIsRefused() {
        input.world().file("d.yaml", "steps: [{fault: kill, node: node1, at: 1s}]");

        input.refused(
                "drill basic -P w -D d.yaml",
                2,
                "a drill needs a cluster whose nodes it can control;; ycsb init ENGINE --hosts HOST,... writes it; then --on");
    }

    @Test
    void aClusterThatDoesNotAnswerIsNamedWithTheNextStep() {
        input.world().file("d.yaml", "steps: [{fault: kill, node: node1, at: 1s}]");

        input.refused(
                "drill jdbc -P w -D d.yaml -p db.url=jdbc:mysql://127.0.0.1:1/x -p ndb.connectstring=127.0.0.1:1",
                2,
                "a drill needs the nodes of ndb.connectstring=127.0.0.1:1, and they cannot be asked: the note above says why;;"
                        + "ycsb cluster status -p ndb.connectstring=127.0.0.1:1 asks again");
    }
}
