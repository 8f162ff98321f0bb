package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
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
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
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
     * @param end that the service deserves
     * @param instead others that tell the truth about it, too
     * @param truth figures as the script has them, beside those that the service writes down
     */
    private record Case(
            ServiceScript script,
            String options,
            String load,
            int trouble,
            int cooldown,
            String limits,
            End end,
            List<End> instead,
            Map<String, Double> truth) {
        Case(ServiceScript script, String options, String load, int trouble, int cooldown, String limits, End end) {
            this(script, options, load, trouble, cooldown, limits, end, List.of(), Map.of());
        }

        Case or(End... others) {
            return new Case(script, options, load, trouble, cooldown, limits, end, List.of(others), truth);
        }

        Case scripted(String figure, double value) {
            Map<String, Double> more = new LinkedHashMap<>(truth);
            more.put(figure, value);
            return new Case(script, options, load, trouble, cooldown, limits, end, instead, more);
        }

        String name() {
            return script.name()
                    + (options.contains("op.timeout") ? "_WITH_TIMEOUT" : load.contains("share") ? "_CALIBRATED" : "");
        }

        /** What latency a drill that may pass accepts: how late the tests beside it make its client is no part of the service. */
        String slo() {
            boolean mayPass =
                    Stream.concat(Stream.of(end), instead.stream()).anyMatch(one -> one.outcome.equals("PASS"));
            return mayPass && !load.equals("max") ? "slo: {p99: 300ms, p50: 100ms}" : "";
        }
    }

    /**
     * How a drill ends.
     *
     * @param exitCode of the command
     * @param outcome the word of the verdict
     * @param says what its line has, a regular expression
     * @param missed the checks that must be; a machine that is busy by itself may add others
     * @param admits the share of its throughput, in per cent, that a caution must say may be missing by chance; 0 is none
     */
    private record End(int exitCode, String outcome, String says, List<String> missed, int admits) {
        private static final Pattern ADMITTED = Pattern.compile("a loss of up to (\\d+) % of B may be chance");

        static End pass() {
            return new End(0, "PASS", "", List.of(), 0);
        }

        static End fail(String... missed) {
            return new End(3, "FAIL", "", List.of(missed), 0);
        }

        static End invalid(String says) {
            return new End(1, "INVALID", says, List.of(), 0);
        }

        /** Of a closed loop whose last seconds served less: that may be chance. */
        static End lessMayBeChance() {
            return new End(1, "UNDECIDED", "Service restored.*: the throughput of the last \\d+ s is", List.of(), 0);
        }

        /** Of a closed loop that varies so much that it tells nothing. */
        static End notBegun() {
            return invalid("in this closed loop it may fall by more than half by chance");
        }

        End admitting(int percent) {
            return new End(exitCode, outcome, says, missed, percent);
        }

        boolean hasFigures() {
            return !outcome.equals("INVALID");
        }

        boolean is(Ended run) {
            return exitCode == run.exitCode
                    && run.line.startsWith("Verdict: " + outcome)
                    && Pattern.compile(says).matcher(run.line).find()
                    && run.missed.containsAll(missed)
                    && (admits == 0
                            || run.cautions.stream()
                                    .map(ADMITTED::matcher)
                                    .anyMatch(found -> found.find() && Integer.parseInt(found.group(1)) >= admits));
        }
    }

    /**
     * How one has ended.
     *
     * @param line of its verdict
     * @param missed the checks that were
     */
    private record Ended(int exitCode, String line, List<String> missed, List<String> cautions) {}

    private static Case passes(
            ServiceScript script, String options, String load, int trouble, int cooldown, String limits) {
        return new Case(script, options, load, trouble, cooldown, limits, End.pass());
    }

    private static Case misses(
            ServiceScript script,
            String options,
            String load,
            int trouble,
            int cooldown,
            String limits,
            String... missed) {
        return new Case(script, options, load, trouble, cooldown, limits, End.fail(missed));
    }

    private static Case invalid(ServiceScript script, String options, String load, String limits, String says) {
        return new Case(script, options, load, 3, 6, limits, End.invalid(says));
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
                        .or(End.lessMayBeChance(), End.notBegun()),
                misses(
                                ServiceScript.STALL_THEN_LESS,
                                FOUR,
                                "max",
                                2,
                                20,
                                "max_out: 3s, max_lost_seconds: 2500ms",
                                "maxLostSeconds")
                        // It serves 8 % less than it did, and 90 % is all that a closed loop promises. The loss is
                        // missed, or said to be
                        // hidden; that less than 90 % was served for a while may be the machine, which nobody can say.
                        .or(End.pass().admitting(8), End.lessMayBeChance().admitting(8), End.notBegun()),
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
                invalid(ServiceScript.HANGS, MANY, "300/s", "max_out: 60s", "has not returned"),
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
                invalid(ServiceScript.TOO_SLOW, "-threads 1", "300/s", "max_out: 1s", "of the offered load was served"),
                // A calibration of 16 threads with calls of 10 ms that was disturbed goes on until it is sure, or says
                // that it is not.
                invalid(
                                ServiceScript.STALL_WHILE_CALIBRATED,
                                MANY,
                                "{share: 60%, calibration: 8s}",
                                "max_out: 1s",
                                "it stalled in")
                        .or(End.pass())
                        .scripted("baselineOpsPerSecond", 0.6 * 1600),
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
            %s
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
                        each.load, each.cooldown, each.slo(), each.trouble, fault, fault, each.limits));
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

    /** Missing where there is no such file. */
    private static JsonNode json(Case each, String file) throws IOException {
        Path path = root.resolve(each.name()).resolve(file);
        return Files.exists(path) ? new ObjectMapper().readTree(path.toFile()) : MissingNode.getInstance();
    }

    private static Ended ended(Case each, Child child) throws Exception {
        int exitCode = child.exitCode();
        JsonNode drill = json(each, "r/summary.json").path("drill");
        return new Ended(
                exitCode,
                child.out()
                        .lines()
                        .filter(line -> line.startsWith("Verdict: "))
                        .findFirst()
                        .orElse(child.err()),
                texts(
                        drill.at("/verdict/checks"),
                        check -> check.path("result").asText().matches("fail|not measurable")
                                ? check.path("limit").asText()
                                : ""),
                texts(drill.path("cautions"), JsonNode::asText));
    }

    private static List<String> texts(JsonNode array, Function<JsonNode, String> text) {
        return StreamSupport.stream(array.spliterator(), false)
                .map(text)
                .filter(one -> !one.isEmpty())
                .toList();
    }

    private static void judge(Case each, Child child, SoftAssertions softly) throws Exception {
        String name = each.name();
        Ended run = ended(each, child);
        Optional<End> end = Stream.concat(Stream.of(each.end), each.instead.stream())
                .filter(one -> one.is(run))
                .findFirst();
        softly.assertThat(end)
                .as("%s: %s, not %s or %s", name, run, each.end, each.instead)
                .isPresent();
        if (end.filter(End::hasFigures).isPresent()) {
            figures(each, end.get(), softly);
        }
    }

    private static void figures(Case each, End end, SoftAssertions softly) throws IOException {
        JsonNode figures = json(each, "r/summary.json").at("/drill/overall");
        JsonNode truth = json(each, "truth.json");
        Map<String, Double> expected = new LinkedHashMap<>(end.admits == 0 ? each.truth : Map.of());
        if (!each.options.contains("op.timeout")) {
            for (String figure : List.of("failed", "unknown", "longestGapSeconds", "outSeconds")) {
                expected.put(figure, truth.path(figure).asDouble());
            }
        }
        List<String> open = texts(figures.path("censored"), JsonNode::asText);
        expected.forEach((figure, value) -> {
            double measured = figures.path(figure).asDouble(Double.NaN);
            softly.assertThat(measured).as("%s: %s", each.name(), figure).satisfies(one -> {
                double margin = margin(figure, value);
                if (open.contains(figure)) {
                    // The last slice of the data is a part of one, and calls go on until the threads have stopped.
                    double last = figure.endsWith("Seconds") ? margin : 600 * SLICE;
                    assertThat(one).isGreaterThanOrEqualTo(value - last);
                } else {
                    assertThat(one).isCloseTo(value, within(margin));
                }
            });
        });
    }

    /** By how much a figure may differ: by one slice at each edge of a stretch; a maximum by what sixteen threads of a busy machine lose. */
    private static double margin(String figure, double value) {
        return switch (figure) {
            case "longestGapSeconds" -> 1.5 * SLICE;
            case "baselineOpsPerSecond" -> 0.25 * value;
            default -> figure.endsWith("Seconds") ? 2 * SLICE : 0;
        };
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
