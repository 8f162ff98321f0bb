package io.ycsbdrill.fault.schedule;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.CommandFault;
import io.ycsbdrill.fault.NodeSelector;
import io.ycsbdrill.fault.PauseNode;
import io.ycsbdrill.fault.RestartNode;
import io.ycsbdrill.fault.StopMode;
import io.ycsbdrill.fault.node.NodeInfo;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DrillFileTest {

    private static FaultSchedule parse(String text) throws DrillFileException {
        return DrillFile.parse("d.yaml", text).schedule();
    }

    private static List<String> problems(String text) {
        DrillFileException e = catchThrowableOfType(DrillFileException.class, () -> parse(text));
        assertThat(e).as("the file should be rejected").isNotNull();
        return e.problems();
    }

    /** A drill of one step with these lines, each indented by four spaces. */
    private static String step(String... lines) {
        return "steps:\n  - step: one\n    " + String.join("\n    ", lines) + "\n";
    }

    @Test
    void everyKeyIsRead() throws DrillFileException {
        FaultSchedule drill = parse("""
                name: my-drill
                seed: 7
                steady: {after: 5s, window: 4s, slope: 20%, variation: 12.5%, within: 1m}
                cooldown: 60.5s
                recovery_timeout: 3m
                steps:
                  - step: first
                    fault: restart
                    node: [node1, node3]
                    mode: kill
                    down: 0.5s
                    at: 10s
                  - step: second
                    fault: pause
                    node: rolling
                    duration: 200ms
                    start_if_ejected: false
                    after: first.synchronise
                    delay: 2s
                    every: 30s
                    count: all
                    steady: true
                limits:
                  max_unavailable: 2s
                  min_throughput: 50%
                  max_recovery: 120s
                  max_service_restore: 5s
                  max_after_dip: 12.5%
                  max_failed: 100
                  max_unknown: 0
                  max_detect: 1s
                  acked_lost: 0
                """);

        assertThat(drill.name()).isEqualTo("my-drill");
        assertThat(drill.seed()).hasValue(7);
        assertThat(drill.steady())
                .contains(new SteadyState(ofSeconds(5), ofSeconds(4), 0.2, 0.125, Duration.ofMinutes(1)));
        assertThat(drill.cooldown()).isEqualTo(ofMillis(60_500));
        assertThat(drill.recoveryBound()).isEqualTo(Duration.ofMinutes(3));
        ScheduledFault first = drill.steps().get(0);
        assertThat(first.fault()).isEqualTo(new RestartNode(StopMode.KILL, ofMillis(500)));
        assertThat(first.node()).isEqualTo(new NodeSelector.Named(List.of("node1", "node3")));
        assertThat(first.when()).isEqualTo(new When.At(ofSeconds(10)));
        ScheduledFault second = drill.steps().get(1);
        assertThat(second.fault()).isEqualTo(new PauseNode(ofMillis(200), false));
        assertThat(second.when()).isEqualTo(new When.After("first", Optional.of(Phase.SYNCHRONISE), ofSeconds(2)));
        assertThat(second.repeat().times(3)).isEqualTo(3);
        assertThat(second.steady()).isTrue();
        assertThat(drill.limits().toJson())
                .hasToString(
                        "{\"maxUnavailableSeconds\":2.0,\"minThroughputPercent\":50.0,\"maxRecoverySeconds\":120.0,"
                                + "\"maxServiceRestoreSeconds\":5.0,\"maxAfterDipPercent\":12.5,\"maxFailed\":100,\"maxUnknown\":0,\"maxDetectSeconds\":1.0,"
                                + "\"ackedLost\":0}");
    }

    @Test
    void theHealthOfABaselineIsSaidInPercent() throws DrillFileException {
        String rest = "\n" + step("fault: kill", "node: random", "at: 0s");

        assertThat(parse("steady: {failed: 2%, served: 90%, swing: 300%}" + rest)
                        .steady()
                        .orElseThrow()
                        .health())
                .isEqualTo(new Health(0.02, 0.9, 3));
        assertThat(parse("steady: {failed: 0%}" + rest).steady().orElseThrow().health())
                .isEqualTo(new Health(0, Health.DEFAULT.served(), Health.DEFAULT.swing()));
        for (String wrong : List.of("failed: 101%", "failed: 0.1", "served: 0%", "served: 120%", "swing: 100%")) {
            String key = wrong.substring(0, wrong.indexOf(':'));
            assertThat(problems("steady: {" + wrong + "}" + rest)).as(wrong).anySatisfy(p -> assertThat(p)
                    .contains(key));
        }
    }

    @Test
    void anSloSaysOneOrBothLatencies() throws DrillFileException {
        String rest = "\n" + step("fault: kill", "node: random", "at: 0s");

        assertThat(parse("slo: {p99: 20ms, p50: 0.5ms}" + rest).slo().toJson())
                .hasToString("{\"p99Seconds\":0.02,\"p50Seconds\":5.0E-4}");
        assertThat(parse("slo: {p50: 2ms}" + rest).slo().toJson()).hasToString("{\"p50Seconds\":0.002}");
        assertThat(parse(rest).slo()).isEqualTo(Slo.NONE);
        for (String wrong : List.of("{p99: 2ms, p50: 20ms}", "{}", "{p90: 2ms}", "20ms", "{p99: 0ms}", "{p99: 20}")) {
            assertThatThrownBy(() -> parse("slo: " + wrong + rest))
                    .as(wrong)
                    .isInstanceOf(DrillFileException.class)
                    .hasMessageContaining("slo");
        }
    }

    @Test
    void failuresAreLimitedByNumberOrByShare() throws DrillFileException {
        String rest = "\n" + step("fault: kill", "node: random", "at: 0s");

        assertThat(parse("limits: {max_failed: 3}" + rest).limits().toJson()).hasToString("{\"maxFailed\":3}");
        assertThat(parse("limits: {max_failed: 1.5%}" + rest).limits().toJson())
                .hasToString("{\"maxFailedPercent\":1.5}");
        assertThat(problems("limits: {max_failed: 1.5}" + rest))
                .singleElement()
                .asString()
                .contains("a whole number");
        assertThat(problems("limits: {max_failed: 101%}" + rest))
                .singleElement()
                .asString()
                .contains("out of range");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "limits: {max_after_dip: 20%}           | fault: restart, mode: kill, at: 0s | limits.max_after_dip: could never be kept: it is about the first minute after redundancy is restored, and the cooldown is 20s; expected cooldown: 60s or more",
                "limits: {max_recovery: 20s}            | fault: none, duration: 5s, at: 0s  | limits.max_recovery: could never be judged: no step does anything to a node",
                "limits: {max_recovery: 20s}            | operation: failover, at: 0s        | limits.max_recovery: could never be judged: no step takes its node down, so it has nothing to recover from",
                "cooldown: 60s, limits: {max_after_dip: 20%} | operation: failover, at: 0s   | limits.max_after_dip: could never be judged: no step takes its node down",
                "limits: {min_throughput: 90%}          | fault: none, duration: 10s, at: 0s | limits.min_throughput: could never be kept: it is about the first minute after each fault, and after the last one the data end within 30s; expected cooldown: 50s or more",
                "steady: off, limits: {max_service_restore: 5s} | fault: kill, at: 2s        | limits.max_service_restore: could never be judged: with steady: off the first step is at 2s, and less than 5s",
                "steady: {window: 2s}                   | fault: kill, at: 500ms             | steady.window: \"2s\": two windows, and the 500ms until the first step, may be all that is steady before it"
            })
    void whatCouldNeverBeJudgedIsRefused(String keys, String step, String problem) {
        assertThat(problems("{" + keys + ", steps: [{node: random, " + step + "}]}"))
                .singleElement()
                .asString()
                .contains(problem);
    }

    /** Somewhere else a supervisor may start it. */
    @Test
    void limitsWithoutAnEndAreNamedForClustersOfWhichNobodyElseStartsNodes() throws DrillFileException {
        String limits = "limits: {max_recovery: 1m, max_lost_seconds: 5s, min_throughput: 50%, max_out: 5s}\n";
        String start = "  - {step: two, fault: start, node: same-as:one, after: one}\n";
        FaultSchedule down = parse(limits + step("fault: kill", "node: random", "at: 0s"));
        FaultSchedule back = parse(limits + step("fault: kill", "node: random", "at: 0s") + start);

        assertThat(down.limitsWithoutEnd())
                .hasSize(3)
                .allMatch(problem -> problem.startsWith("limits.m") && problem.contains(" could never be kept: "))
                .anyMatch(problem -> problem.contains("step one leaves its node down, and no step starts one"))
                .noneMatch(problem -> problem.contains("max_out"));
        assertThat(back.limitsWithoutEnd()).isEmpty();
    }

    @Test
    void aBlankAfterSameAsIsNoPartOfTheName() throws DrillFileException {
        FaultSchedule drill = parse(step("fault: kill", "node: random", "at: 0s")
                + "  - {step: two, fault: start, node: \"same-as: one\", after: one}\n");

        assertThat(drill.steps().get(1).node()).isEqualTo(new NodeSelector.SameAs("one"));
    }

    @Test
    void whatIsNotSaidHasItsDocumentedDefault() throws DrillFileException {
        FaultSchedule drill = parse(step("fault: kill", "node: random", "at: 0s"));

        assertThat(drill.name()).isEqualTo("d");
        assertThat(drill.steady()).contains(SteadyState.DEFAULT);
        assertThat(drill.cooldown()).isEqualTo(ofSeconds(20));
        assertThat(drill.limits().toJson()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                                         | 60%",
                "'load: 75%'                                | 75%",
                "'load: max'                                | max",
                "'load: 2500.5/s'                           | 2500.5/s",
                "'load: {share: 60%, calibration: 10s}'     | {share: 60%, calibration: 10s}"
            })
    void theLoadIsAShareOfTheMaximumUnlessSaid(String line, String load) throws DrillFileException {
        DrillFile drill = DrillFile.parse("d.yaml", line + "\n" + step("fault: kill", "node: random", "at: 0s"));

        assertThat(drill.load()).hasToString(load);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'load: 60'                                 | load: \"60\"; expected a share of the maximum: 60%, a rate: 2000/s, or max",
                "'load: 0.5%'                               | load: a share of 0.5% is not from 1% to 100%",
                "'load: {share: 60%, calibration: 1s}'      | load.calibration: \"1s\" is out of range; allowed: 4s to 600s",
                "'load: {calibration: 10s}'                 | load.share: is missing",
                "'load: [60%]'                              | load:"
            })
    void aLoadThatIsNoneIsAnError(String line, String problem) {
        assertThat(problems(line + "\n" + step("fault: kill", "node: random", "at: 0s")))
                .anySatisfy(p -> assertThat(p).contains(problem));
    }

    @Test
    void theSteadyGateCanBeSwitchedOff() throws DrillFileException {
        assertThat(parse("steady: off\n" + step("fault: kill", "node: random", "at: 0s"))
                        .steady())
                .isEmpty();
    }

    @Test
    void commandsAreListsUnlessAShellIsAskedFor() throws DrillFileException {
        CommandFault plain = (CommandFault) parse(step(
                        "fault: run",
                        "node: 3",
                        "at: 0s",
                        "command: [ssh, '{host}', 'kill $(pidof x)']",
                        "heal: [ssh, '{host}', start]",
                        "duration: 5s"))
                .steps()
                .get(0)
                .fault();
        CommandFault shell = (CommandFault)
                parse(step("fault: run", "node: 3", "at: 0s", "shell: true", "command: echo $NODE | cat"))
                        .steps()
                        .get(0)
                        .fault();

        assertThat(plain.commands().inject().words(new NodeInfo("3", "h3", 0)))
                .containsExactly("ssh", "h3", "kill $(pidof x)");
        assertThat(plain.duration()).contains(ofSeconds(5));
        assertThat(shell.commands().inject().words(new NodeInfo("3", "h3", 0)))
                .containsExactly("env", "NODE=3", "HOST=h3", "/bin/sh", "-c", "echo $NODE | cat");
        assertThat(problems("""
                        steps:
                          - {fault: run, node: 3, at: 0s, shell: true, command: 'docker kill {node}'}
                        """)).singleElement().asString().contains("command", "$NODE");
    }

    @Test
    void allProblemsAreReportedAtOnceWithFileLineKeyValueAndWhatIsAllowed() {
        assertThat(problems("""
                        nmae: x
                        cooldown: 20
                        steps:
                          - step: a
                            fault: kil
                            node: rnadom
                            at: 5s
                          - step: b
                            fault: pause
                            node: node1
                            duration: 48h
                            after: a.recoverd
                        limits:
                          min_throughput: 150%
                          max_failed: -1
                        """))
                .satisfiesExactly(
                        p -> assertThat(p)
                                .startsWith("d.yaml:1: nmae: unknown key; did you mean \"name\"?")
                                .contains("cooldown", "recovery_timeout"),
                        p -> assertThat(p)
                                .startsWith("d.yaml:2: cooldown: \"20\" has no unit; expected a number with a unit"),
                        p -> assertThat(p)
                                .startsWith(
                                        "d.yaml:5: steps[1].fault: \"kil\"; did you mean \"kill\"?; allowed: kill, stop"),
                        p -> assertThat(p).startsWith("d.yaml:6: steps[1].node: \"rnadom\"; did you mean \"random\"?"),
                        p -> assertThat(p)
                                .isEqualTo(
                                        "d.yaml:11: steps[2].duration: \"48h\" is out of range; allowed: 1ms to 24h"),
                        p -> assertThat(p)
                                .startsWith(
                                        "d.yaml:12: steps[2].after: \"a.recoverd\": unknown phase \"recoverd\"; did you"
                                                + " mean \"recovered\"?"),
                        p -> assertThat(p)
                                .startsWith(
                                        "d.yaml:14: limits.min_throughput: \"150%\" is out of range; allowed: 0.0%"),
                        p -> assertThat(p).startsWith("d.yaml:15: limits.max_failed: \"-1\" is out of range"));
    }

    @Test
    void aKeyThatIsThereTwiceIsAnError() {
        assertThat(problems(step("fault: kill", "node: random", "at: 0s", "at: 5s")))
                .containsExactly("d.yaml:6: steps[1].at: is given twice; first in line 5");
    }

    @Test
    void aKeyOfAnotherFaultIsAnError() {
        assertThat(problems(step("fault: kill", "node: random", "at: 0s", "down: 5s")))
                .singleElement()
                .asString()
                .startsWith("d.yaml:6: steps[1].down: unknown key");
    }

    @Test
    void anUnknownEarlierStepIsAnError() {
        assertThat(problems("""
                        steps:
                          - {step: restart, fault: restart, node: random, at: 0s}
                          - {step: b, fault: kill, node: random, after: restrat.recovered}
                        """))
                .singleElement()
                .asString()
                .startsWith(
                        "d.yaml:3: steps[2].after: \"restrat\" does not name another step; did you mean \"restart\"?");
    }

    @Test
    void aCycleIsAnError() {
        assertThat(problems("""
                        steps:
                          - {step: a, fault: kill, node: random, after: b}
                          - {step: b, fault: kill, node: random, after: a}
                        """)).hasSize(2).allMatch(p -> p.contains("a cycle"));
    }

    @Test
    void aStepThatWaitsForItselfIsAnError() {
        assertThat(problems(step("fault: kill", "node: random", "after: one")))
                .singleElement()
                .asString()
                .contains("does not name another step");
    }

    @Test
    void aPhaseThatTheFaultCannotReachIsAnError() {
        assertThat(problems("""
                        steps:
                          - {step: kill, fault: kill, node: random, at: 0s}
                          - {step: b, fault: kill, node: random, after: kill.synchronise}
                        """))
                .singleElement()
                .asString()
                .isEqualTo("d.yaml:3: steps[2].after: \"kill.synchronise\" is never reached: kill reaches fault,"
                        + " failure-handling, down");
        assertThat(problems("""
                        steps:
                          - {step: forced, operation: failover, node: not-primary, at: 0s}
                          - {step: b, fault: kill, node: random, after: forced.down}
                        """))
                .singleElement()
                .asString()
                .contains("\"forced.down\" is never reached: failover reaches recovered");
    }

    @Test
    void aFaultThatWouldReplaceAnotherOneIsAnError() {
        assertThat(problems("""
                        steps:
                          - {step: lossy, fault: link-loss, node: node2, share: 5%, duration: 60s, at: 5s}
                          - {step: loose, fault: flaky, node: [node1, node2], up: 2s, down: 1s, duration: 9s, at: 20s}
                        """))
                .singleElement()
                .asString()
                .isEqualTo("d.yaml:3: steps[2].at: step lossy is in force on node node2 at the same time: flaky and"
                        + " link-loss both use the node's links; end one first or choose another node");
        assertThat(problems("""
                        steps:
                          - {step: later, fault: disk-stall, node: node2, duration: 5s, at: 20s}
                          - {step: earlier, fault: disk-full, node: node2, duration: 20s, at: 0s}
                        """))
                .singleElement()
                .asString()
                .contains("steps[2].at", "step later is in force on node node2");
    }

    /** Nobody knows before how long it lasts. */
    @Test
    void whetherAPauseThatMayBeResumedIsInTheWayIsSeenWhenTheNextOneIsDue() throws DrillFileException {
        String pauses = """
                steps:
                  - {step: first, fault: pause, node: node2, duration: 60s, at: 0s}
                  - {step: second, fault: starve, node: node2, share: 50%, duration: 60s, at: 40s}
                """;

        assertThat(problems(pauses))
                .singleElement()
                .asString()
                .contains("steps[2].at", "starve and pause both use the node's processor time");
        assertThat(parse(pauses + "  - {step: resume, fault: resume, node: node2, at: 30s}\n")
                        .steps())
                .hasSize(3);
        assertThat(problems(pauses.replace("40s", "0s") + "  - {step: resume, fault: resume, node: node2, at: 30s}\n"))
                .singleElement()
                .asString()
                .contains("both use the node's processor time");
    }

    /** It ends with the process that it is done to. */
    @Test
    void whetherAStarveWhoseNodeMayBeBroughtDownIsInTheWayIsSeenWhenTheNextOneIsDue() throws DrillFileException {
        String steps = """
                steps:
                  - {step: first, fault: starve, node: node2, share: 50%, duration: 60s, at: 0s}
                  - {step: second, fault: pause, node: node2, duration: 60s, at: 40s}
                """;

        assertThat(problems(steps + "  - {step: resume, fault: resume, node: node2, at: 30s}\n"))
                .singleElement()
                .asString()
                .contains("steps[2].at", "pause and starve both use the node's processor time");
        assertThat(parse(steps + "  - {step: restart, fault: restart, node: node2, at: 20s}\n")
                        .steps())
                .hasSize(3);
        assertThat(parse(steps + "  - {step: remove, operation: remove-node, node: node2, at: 20s}\n")
                        .steps())
                .hasSize(3);
    }

    @Test
    void faultsOfOtherNodesOfOtherPartsAndOfOtherTimesGoTogether() throws DrillFileException {
        FaultSchedule drill = parse("""
                steps:
                  - {step: lossy, fault: link-loss, node: node2, share: 5%, duration: 10s, at: 0s}
                  - {step: other, fault: link-loss, node: node3, share: 5%, duration: 10s, at: 5s}
                  - {step: slow, fault: starve, node: node2, share: 50%, duration: 10s, at: 5s}
                  - {step: again, fault: link-loss, node: node2, share: 5%, duration: 10s, at: 15s}
                  - {step: late, fault: delay, node: server1, latency: 5ms, duration: 10s, at: 0s}
                  - {step: later, fault: delay, node: server1, latency: 5ms, duration: 10s, at: 5s}
                """);

        assertThat(drill.steps()).hasSize(6);
    }

    @Test
    void impossibleSelectorsAreErrors() {
        assertThat(problems(step("fault: kill", "node: []", "at: 0s")))
                .singleElement()
                .asString()
                .contains("list");
        assertThat(problems(step("fault: kill", "node: [n1, n1]", "at: 0s")))
                .singleElement()
                .asString()
                .contains("twice");
        assertThat(problems(step("fault: kill", "node: [random, n1]", "at: 0s")))
                .singleElement()
                .asString()
                .contains("cannot be in a list");
        assertThat(problems(step("fault: start", "node: same-as:two", "at: 0s")))
                .singleElement()
                .asString()
                .contains("does not name another step");
        assertThat(problems(step("fault: none", "node: random", "duration: 5s", "at: 0s")
                        + "  - {step: two, fault: kill, node: same-as:one, after: one}\n"))
                .singleElement()
                .asString()
                .contains("steps[2].node: \"same-as:one\" names a step that does nothing to any node");
    }

    @Test
    void exactlyOneOfAtAndAfterIsNeeded() {
        assertThat(problems(step("fault: kill", "node: random")))
                .singleElement()
                .asString()
                .contains("at: is missing");
        assertThat(problems(step("fault: kill", "node: random", "at: 1s", "after: one")))
                .singleElement()
                .asString()
                .contains("expected one of them");
    }

    @Test
    void everyAndCountBelongTogether() {
        assertThat(problems(step("fault: kill", "node: random", "at: 1s", "every: 5s")))
                .singleElement()
                .asString()
                .contains("steps[1].count: is missing");
    }

    @Test
    void whatIsNotADrillIsAnErrorAndNotACrash() {
        assertThat(problems("")).singleElement().asString().isEqualTo("d.yaml:1: the file is empty");
        assertThat(problems("# only a comment\n")).singleElement().asString().contains("empty");
        assertThat(problems("steps")).singleElement().asString().contains("expected the keys of a drill");
        assertThat(problems("steps: []")).singleElement().asString().contains("at least one step");
        assertThat(problems("steps:\n")).singleElement().asString().contains("nothing");
        assertThat(problems("steps: [1, x]")).hasSize(2);
        assertThat(problems("steps:\n  - {a: [}\n")).singleElement().asString().startsWith("d.yaml:2: not YAML");
        assertThat(problems("a: &x 1\nsteps: *x\n")).anyMatch(p -> p.contains("aliases"));
        assertThat(problems("---\nsteps: []\n---\nb: 2\n")).anyMatch(p -> p.contains("second document"));
        assertThat(problems("\tsteps: 1")).singleElement().asString().contains("not YAML");
    }

    @Test
    void scheduleBuiltInJavaObeysTheSameRules() {
        assertThatThrownBy(() -> FaultSchedule.named("x")
                        .step(ScheduledFault.step("a", new io.ycsbdrill.fault.KillNode())
                                .after("b", Duration.ZERO))
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("step a: after \"b\" does not name another step");
    }

    @Test
    void aStepCanAimAtAPhaseOfANode() throws DrillFileException {
        String first = step("fault: restart", "node: node1", "at: 0s");

        assertThat(parse(first + "  - {step: b, fault: kill, node: node1, at: node1.local-recovery + 0.5s}\n")
                        .steps()
                        .get(1)
                        .when())
                .isEqualTo(new When.InPhase("node1", Phase.LOCAL_RECOVERY, ofMillis(500)));
        assertThat(parse(first + "  - {step: b, fault: kill, node: node2, at: node1.down}\n")
                        .steps()
                        .get(1)
                        .when())
                .isEqualTo(new When.InPhase("node1", Phase.DOWN, Duration.ZERO));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "node1.recoverd|unknown phase \"recoverd\"; did you mean \"recovered\"",
                "node1.steady|unknown phase \"steady\"",
                "node1.down + 5|\"5\" has no unit",
                "node1.down + 25h|out of range; allowed: 0s to 24h",
                "node2.down|no other step can do anything to node node2",
            })
    void anAimThatCannotBeIsRefused(String at, String expected) {
        String first = step("fault: restart", "node: node1", "at: 0s");

        assertThat(problems(first + "  - {step: b, fault: kill, node: node1, at: " + at + "}\n"))
                .singleElement()
                .asString()
                .contains("steps[2].at", expected);
    }

    @Test
    void aPhaseThatNoOtherStepBringsTheNodeToIsRefused() {
        String kill = step("fault: kill", "node: node1", "at: 0s");
        String waiting = "  - {step: b, fault: restart, node: node1, after: c}\n"
                + "  - {step: c, fault: pause, duration: 1s, node: node2, at: node1.synchronise}\n";

        assertThat(problems(kill + "  - {step: b, fault: kill, node: node2, at: node1.synchronise}\n"))
                .singleElement()
                .asString()
                .contains("\"node1.synchronise\" is never reached: node node1 is brought no further by kill");
        assertThat(problems(kill + waiting))
                .singleElement()
                .asString()
                .contains("is reached only after \"c\", directly or through others: a cycle");
    }
}
