package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoublePredicate;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Drills from the command line on services whose truth is known, each a process of its own: the figures are the truth's, and so is the verdict. */
@Tag("process")
@EnabledOnOs(OS.LINUX)
@Timeout(600)
class ScriptedServiceIT {
    private static final double SLICE = 0.1;
    private static final int AT_ONCE = 5;

    /**
     * What is run and what must come of it.
     *
     * @param options of the command line
     * @param load of the drill
     * @param trouble how long the step is in force, in seconds
     * @param limits of the drill
     * @param exitCode of the command
     * @param missed the checks that must be; a machine that is busy by itself may add others
     * @param instead what else is honest
     */
    private record Case(
            ServiceScript script,
            String options,
            String load,
            int trouble,
            int cooldown,
            String limits,
            int exitCode,
            List<String> missed,
            Map<String, Double> truth,
            Honest instead) {
        Case(
                ServiceScript script,
                String options,
                String load,
                int trouble,
                int cooldown,
                String limits,
                int exitCode,
                List<String> missed,
                Map<String, Double> truth) {
            this(script, options, load, trouble, cooldown, limits, exitCode, missed, truth, (run, code, said) -> false);
        }

        Case or(Honest other) {
            return new Case(script, options, load, trouble, cooldown, limits, exitCode, missed, truth, other);
        }

        /** A figure as the script has it, beside those that the service writes down. */
        Case scripted(String figure, double value) {
            Map<String, Double> more = new LinkedHashMap<>(truth);
            more.put(figure, value);
            return new Case(script, options, load, trouble, cooldown, limits, exitCode, missed, more, instead);
        }

        String name() {
            return script.name()
                    + (options.contains("op.timeout") ? "_WITH_TIMEOUT" : load.contains("share") ? "_CALIBRATED" : "");
        }
    }

    /** Whether another end than the expected one tells the truth, too. */
    private interface Honest {
        boolean is(Case each, int exitCode, String said) throws IOException;
    }

    /** A closed loop that varies too much does not begin, and one that varies has no verdict that nobody can give. */
    private static Honest saysThatItCannotBeSaid() {
        return (each, exitCode, said) -> exitCode == 1
                && (said.contains("in this closed loop it may fall by more than half by chance")
                        || said.contains("UNDECIDED: "));
    }

    /** It passes only with a caution that admits what it cannot show. */
    private static Honest admits(String caution, DoublePredicate enough) {
        Pattern pattern = Pattern.compile(caution);
        return (each, exitCode, said) -> saysThatItCannotBeSaid().is(each, exitCode, said)
                || exitCode == 0
                        && StreamSupport.stream(
                                        json(each, "r/summary.json")
                                                .at("/drill/cautions")
                                                .spliterator(),
                                        false)
                                .map(text -> pattern.matcher(text.asText()))
                                .anyMatch(found -> found.find() && enough.test(Double.parseDouble(found.group(1))));
    }

    /** A calibration that was disturbed may go on until it has measured what the service can do. */
    private static Honest offersAShareOf(double maximum) {
        return (each, exitCode, said) -> exitCode == 0
                && json(each, "r/run.json").at("/load/measuredMaximum").asDouble() >= 0.8 * maximum;
    }

    private static Case passes(
            ServiceScript script, String options, String load, int trouble, int cooldown, String limits) {
        return new Case(script, options, load, trouble, cooldown, limits, 0, List.of(), Map.of());
    }

    private static Case misses(
            ServiceScript script,
            String options,
            String load,
            int trouble,
            int cooldown,
            String limits,
            String... missed) {
        return new Case(script, options, load, trouble, cooldown, limits, 3, List.of(missed), Map.of());
    }

    private static Case invalid(ServiceScript script, String options, String load, String limits) {
        return new Case(script, options, load, 3, 6, limits, 1, List.of(), Map.of());
    }

    private static final String MANY = "-threads 16";
    private static final String MORE = "-threads 64";
    private static final String FOUR = "-threads 4";

    private static final Case STALL = misses(
                    ServiceScript.STALL, MANY, "300/s", 3, 7, "max_out: 2s, max_lost_seconds: 4s", "maxOutSeconds")
            .scripted("lostSeconds", 3);

    private static final Case SHARD = misses(
                    ServiceScript.SHARD_FAILS,
                    MANY,
                    "300/s",
                    6,
                    7,
                    "max_out: 1s, max_degraded: 5s, max_lost_seconds: 3s",
                    "maxDegradedSeconds")
            .scripted("degradedSeconds", 6);

    private static final Case HICCUP = misses(
            ServiceScript.HICCUP,
            MORE,
            "100/s",
            3,
            7,
            "max_out: 2s, max_lost_seconds: 2s, max_unavailable: 2s, max_failed: 0",
            "serviceRestored");

    private static final Case NOTHING = passes(
            ServiceScript.NOTHING,
            MANY,
            "300/s",
            3,
            7,
            "max_out: 0s, max_degraded: 1s, max_lost_seconds: 1s, max_unavailable: 1s, max_failed: 0, max_unknown: 0");

    private static List<Case> others() {
        return List.of(
                misses(ServiceScript.SHARD_HANGS, MANY, "300/s", 3, 7, "max_out: 2s", "maxOutSeconds"),
                passes(
                                ServiceScript.SHARD_HANGS,
                                MORE + " -p op.timeout=500ms",
                                "200/s",
                                3,
                                7,
                                "max_out: 1s, max_degraded: 4s, max_lost_seconds: 2s")
                        .scripted("lostSeconds", 1),
                misses(ServiceScript.SLOWER_FOR_EVER, FOUR, "max", 3, 12, "max_out: 1s", "serviceRestored")
                        // It serves 77 % of what it did, which never passes.
                        .or(saysThatItCannotBeSaid()),
                misses(
                                ServiceScript.STALL_THEN_LESS,
                                FOUR,
                                "max",
                                2,
                                20,
                                "max_out: 3s, max_lost_seconds: 2500ms",
                                "maxLostSeconds")
                        // It serves 8 % less than it did: 90 % is all that a closed loop promises.
                        .or(admits("a loss of up to (\\d+) % of B may be chance", loss -> loss >= 8)),
                misses(
                        ServiceScript.DRIFT,
                        MANY,
                        "200/s",
                        10,
                        10,
                        "max_out: 1s, max_degraded: 5s, max_lost_seconds: 1s",
                        "maxDegradedSeconds",
                        "serviceRestored"),
                misses(
                        ServiceScript.FLAPS,
                        MANY,
                        "300/s",
                        9,
                        8,
                        "max_out: 1s, max_unavailable: 1s, max_failed: 10, max_lost_seconds: 5s",
                        "maxLostSeconds"),
                new Case(ServiceScript.HANGS, MANY, "300/s", 3, 6, "max_out: 60s", 1, List.of(), Map.of()),
                misses(ServiceScript.FAILS, MANY, "300/s", 3, 7, "max_out: 60s", "maxOutSeconds", "serviceRestored"),
                misses(
                        ServiceScript.SLOW_MODE,
                        MORE,
                        "100/s",
                        3,
                        7,
                        "max_out: 1s, max_lost_seconds: 1s, max_failed: 0, max_unavailable: 1s",
                        "serviceRestored"),
                misses(ServiceScript.UNKNOWN, MANY, "300/s", 5, 7, "max_out: 1s, max_unknown: 50", "maxUnknown"),
                misses(
                        ServiceScript.BURSTS,
                        MANY,
                        "300/s",
                        5,
                        7,
                        "max_out: 1s, max_lost_seconds: 2s, max_failed: 20",
                        "maxFailed"),
                misses(
                                ServiceScript.STALL_THEN_SLOW,
                                MANY,
                                "300/s",
                                13,
                                8,
                                "max_out: 4s, max_degraded: 12s, max_lost_seconds: 4s",
                                "maxDegradedSeconds")
                        .scripted("lostSeconds", 3),
                invalid(ServiceScript.TOO_SLOW, "-threads 1", "300/s", "max_out: 1s"),
                invalid(ServiceScript.STALL_WHILE_CALIBRATED, MANY, "{share: 60%, calibration: 8s}", "max_out: 1s")
                        // 16 threads with calls of 10 ms.
                        .or(offersAShareOf(1600)),
                passes(
                                ServiceScript.STALL,
                                MANY,
                                "{share: 10%, calibration: 6s}",
                                3,
                                7,
                                "max_out: 4s, max_lost_seconds: 4s")
                        .scripted("lostSeconds", 3));
    }

    @TempDir
    static Path root;

    private static Child started(Case each, int port) throws IOException {
        Path folder = Files.createDirectories(root.resolve(each.name()));
        Path fault = folder.resolve("fault");
        Files.writeString(folder.resolve("w"), """
                workload=site.ycsb.workloads.CoreWorkload
                recordcount=999
                operationcount=999
                fieldcount=1
                fieldlength=10
                readproportion=0.5
                updateproportion=0.5
                requestdistribution=uniform
                """);
        Files.writeString(folder.resolve("d.yaml"), """
                name: scripted
                load: %s
                steady: {after: 6s, window: 3s, within: 30s}
                cooldown: %ds
                recovery_timeout: 1m
                steps:
                  - step: trouble
                    fault: run
                    node: server1
                    at: 0s
                    duration: %ds
                    command: [touch, '%s']
                    verify: [test, -f, '%s']
                    heal: ['true']
                    healed: ['true']
                limits: {%s}
                """.formatted(
                        each.load, each.cooldown, each.trouble, fault, fault, each.limits));
        List<String> arguments = new ArrayList<>(List.of(
                "drill",
                ScriptedServiceDb.class.getName(),
                "-P",
                "w",
                "-D",
                "d.yaml",
                "--window",
                "1s",
                "--out",
                "r",
                "-p",
                "db.url=jdbc:postgresql://127.0.0.1:" + port + "/ycsb",
                "-p",
                "service.script=" + each.script,
                "-p",
                "service.fault=" + fault,
                "-p",
                "service.truth=" + folder.resolve("truth.json")));
        arguments.addAll(Arrays.asList(each.options.split(" ")));
        return new Child(
                folder,
                Map.of("YCSB_DRILL_STATE", folder.resolve("state").toString()),
                Child.ycsb(arguments.toArray(String[]::new)));
    }

    private static JsonNode json(Case each, String file) throws IOException {
        return new ObjectMapper()
                .readTree(root.resolve(each.name()).resolve(file).toFile());
    }

    private static void judge(Case each, Child child, SoftAssertions softly) throws Exception {
        String name = each.name();
        int exitCode = child.exitCode();
        String said = child.out().replaceAll("(?s).*(?=Verdict:)", "") + child.err();
        if (exitCode != each.exitCode && each.instead.is(each, exitCode, said)) {
            return;
        }
        softly.assertThat(exitCode).as(name + ": " + said).isEqualTo(each.exitCode);
        if (exitCode == 1 || exitCode == 2) {
            softly.assertThat(said).as(name).doesNotContain("Verdict: PASS");
            return;
        }
        JsonNode drill = json(each, "r/summary.json").path("drill");
        List<String> missed = StreamSupport.stream(drill.at("/verdict/checks").spliterator(), false)
                .filter(check -> check.path("result").asText().matches("fail|not measurable"))
                .map(check -> check.path("limit").asText())
                .toList();
        softly.assertThat(missed).as(name + ": " + drill.path("verdict")).containsAll(each.missed);

        JsonNode figures = drill.path("overall");
        JsonNode truth = json(each, "truth.json");
        Map<String, Double> expected = new LinkedHashMap<>(each.truth);
        if (!each.options.contains("op.timeout")) {
            for (String figure : List.of("failed", "unknown", "longestGapSeconds", "outSeconds")) {
                expected.put(figure, truth.path(figure).asDouble());
            }
        }
        List<String> open = StreamSupport.stream(figures.path("censored").spliterator(), false)
                .map(JsonNode::asText)
                .toList();
        expected.forEach((figure, value) -> {
            double measured = figures.path(figure).asDouble(Double.NaN);
            // One slice at each edge of a stretch.
            double margin =
                    figure.equals("longestGapSeconds") ? 1.5 * SLICE : figure.endsWith("Seconds") ? 2 * SLICE : 0;
            if (open.contains(figure)) {
                // The last slice of the data is a part of one, and calls go on until the threads have stopped.
                double last = figure.endsWith("Seconds") ? margin : 600 * SLICE;
                softly.assertThat(measured).as(name + ": " + figure).isGreaterThanOrEqualTo(value - last);
            } else {
                softly.assertThat(measured).as(name + ": " + figure).isCloseTo(value, within(margin));
            }
        });
    }

    private static void run(List<Case> cases) throws Exception {
        SoftAssertions softly = new SoftAssertions();
        try (ServerSocket server = new ServerSocket(0, 1000, InetAddress.getLoopbackAddress())) {
            for (int from = 0; from < cases.size(); from += AT_ONCE) {
                List<Case> some = cases.subList(from, Math.min(cases.size(), from + AT_ONCE));
                List<Child> children = new ArrayList<>();
                try {
                    for (Case each : some) {
                        children.add(started(each, server.getLocalPort()));
                    }
                    for (int i = 0; i < some.size(); i++) {
                        judge(some.get(i), children.get(i), softly);
                    }
                } finally {
                    children.forEach(Child::close);
                }
            }
        }
        softly.assertAll();
    }

    @Test
    @Tag("long")
    void figuresAndVerdictAreThoseOfTheService() throws Exception {
        run(List.of(STALL, SHARD, HICCUP, NOTHING));
    }

    @Test
    @Tag("soak")
    void soAreThoseOfAllOthers() throws Exception {
        run(others());
    }
}
