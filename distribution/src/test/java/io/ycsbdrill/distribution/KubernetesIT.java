package io.ycsbdrill.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import com.sun.net.httpserver.HttpServer;
import io.ycsbdrill.fault.schedule.DrillFile;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What is in {@code deploy/kubernetes}: manifests are valid by Kubernetes' own schemas, and the script of the pods brings real clients
 * together. No Kubernetes is needed. Its clients wait for most of the time: the tests with clients run side by side.
 */
class KubernetesIT {
    private static final Path FOLDER = Path.of("..", "deploy", "kubernetes");
    private static final Path SCHEMA = Path.of("src", "test", "resources", "kubernetes.schema.json");
    private static final YAMLMapper YAML = new YAMLMapper();
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    static Path folder;

    private static JsonSchema schema;
    private static Path home;

    @BeforeAll
    static void prepare() throws Exception {
        try (InputStream in = Files.newInputStream(SCHEMA)) {
            schema = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V7).getSchema(in);
        }
        home = Unpacked.archive(folder);
    }

    static Stream<Path> databases() throws IOException {
        try (Stream<Path> all = Files.list(FOLDER)) {
            return all.filter(each -> !each.endsWith("base")).sorted().toList().stream();
        }
    }

    @Test
    void manifestsAreValid() throws IOException {
        int checked = 0;
        try (Stream<Path> files = Files.walk(FOLDER)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".yaml")).toList()) {
                for (JsonNode document : documents(Files.readString(file))) {
                    if (document.has("kind") && !document.path("kind").asText().equals("Kustomization")) {
                        assertThat(schema.validate(document))
                                .as(file.toString())
                                .isEmpty();
                        checked++;
                    }
                }
            }
        }

        assertThat(checked).isGreaterThanOrEqualTo(6);
    }

    /** Else the test above could not fail. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "completionMode: Indexed     | completionsMode: Indexed     | completionsMode",
                "completions: 3              | completions: three           | completions",
                "kind: Job                   | kind: Jobs                   | kind",
                "{name: runs, mountPath: /runs} | {name: runs, mountpath: /runs} | mountpath",
                "claimName: ycsb-drill-runs  | claimName: [ycsb-drill-runs] | claimName",
            })
    void brokenManifestIsRefused(String right, String wrong, String named) throws IOException {
        String manifest = Files.readString(FOLDER.resolve("base/clients.yaml"));
        assertThat(manifest).contains(right);

        Set<ValidationMessage> problems =
                schema.validate(documents(manifest.replace(right, wrong)).get(0));

        assertThat(problems)
                .anySatisfy(problem -> assertThat(problem.getMessage()).contains(named));
    }

    @ParameterizedTest
    @MethodSource("databases")
    void whatKustomizeMakesIsValidAndMayOnlyTouchTheNamedPods(Path database) throws Exception {
        assumeTrue(isThere("kubectl"), "kubectl is not installed");
        Path made = folder.resolve(database.getFileName() + ".yaml");
        Process process = new ProcessBuilder("kubectl", "kustomize", database.toString())
                .redirectOutput(made.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        assertThat(process.waitFor()).isZero();
        List<JsonNode> documents = documents(Files.readString(made));

        assertThat(documents).allSatisfy(document -> assertThat(schema.validate(document))
                .as(document.path("kind").asText())
                .isEmpty());
        JsonNode rule = only(documents, "Role").at("/rules/0");
        assertThat(only(documents, "Role").path("rules")).hasSize(1);
        assertThat(rule.path("resources")).extracting(JsonNode::asText).containsExactly("pods");
        assertThat(rule.path("verbs")).extracting(JsonNode::asText).containsExactly("get", "delete");
        assertThat(rule.path("resourceNames"))
                .hasSizeGreaterThan(1)
                .extracting(JsonNode::asText)
                .allMatch(name -> name.matches("[a-z0-9-]+-\\d"));
        assertThat(only(documents, "Job")
                        .at("/spec/template/spec/automountServiceAccountToken")
                        .asBoolean(true))
                .isFalse();
        assertThat(only(documents, "CronJob")
                        .at("/spec/jobTemplate/spec/template/spec/serviceAccountName")
                        .asText())
                .isEqualTo("ycsb-drill");
        for (JsonNode spec : List.of(
                only(documents, "Job").path("spec"), only(documents, "CronJob").at("/spec/jobTemplate/spec"))) {
            JsonNode container = spec.at("/template/spec/containers/0");
            assertThat(spec.at("/template/spec/securityContext/runAsNonRoot").asBoolean())
                    .isTrue();
            assertThat(container.path("image").asText()).startsWith("registry.example.com/ycsb-drill:");
            assertThat(value(container, "CLIENTS"))
                    .isEqualTo(spec.path("completions").asText());
            assertThat(spec.path("parallelism").asInt())
                    .isEqualTo(spec.path("completions").asInt());
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void filesOfTheDatabaseAreThoseOfTheTool(Path database) throws Exception {
        Properties properties = new Properties();
        try (InputStream in = Files.newInputStream(database.resolve("database.properties"))) {
            properties.load(in);
        }

        assertThat(DrillFile.read(database.resolve("drill.yaml")).schedule().steps())
                .isNotEmpty();
        assertThat(properties.keySet()).noneMatch(key -> Set.of("db.passwd", "rest.password", "rest.token")
                .contains(key));
        assertThat(Files.readString(database.resolve("kustomization.yaml")))
                .contains("-P /etc/database/database.properties", "-D /etc/database/drill.yaml");
    }

    @Test
    @Tag("long")
    @Execution(ExecutionMode.CONCURRENT)
    void clientsStartTogetherAndAreMerged() throws Exception {
        Path runs = Files.createDirectory(folder.resolve("runs"));

        List<Process> clients = List.of(client(runs, 0, 3), client(runs, 1, 3), client(runs, 2, 3));

        for (Process client : clients) {
            assertThat(client.waitFor(5, TimeUnit.MINUTES)).isTrue();
            assertThat(client.exitValue()).as(logs(runs)).isZero();
        }
        JsonNode run =
                JSON.readTree(runs.resolve("ycsb-clients-1a2b3c4d/run/run.json").toFile());
        assertThat(run.path("state").asText()).isEqualTo("complete");
        assertThat(run.path("clients")).hasSize(3).allSatisfy(each -> {
            assertThat(each.path("start").path("asked"))
                    .isEqualTo(run.path("clients").get(0).path("start").path("asked"));
            assertThat(each.path("windowErrorNanos").asLong(-1)).isBetween(-500_000_000L, 500_000_000L);
        });
        assertThat(runs.resolve("ycsb-clients-1a2b3c4d/run/report.html")).isNotEmptyFile();
        assertThat(runs.resolve(".meeting/ycsb-clients-1a2b3c4d-run")).doesNotExist();
    }

    @Test
    @Tag("long")
    @Execution(ExecutionMode.CONCURRENT)
    void clientThatNeverComesIsMissingInTheResult() throws Exception {
        Path runs = Files.createDirectory(folder.resolve("fewer"));

        List<Process> clients = List.of(client(runs, 0, 3), client(runs, 1, 3));

        for (Process client : clients) {
            assertThat(client.waitFor(8, TimeUnit.MINUTES)).isTrue();
        }
        assertThat(clients.get(0).exitValue()).as(logs(runs)).isEqualTo(1);
        JsonNode run =
                JSON.readTree(runs.resolve("ycsb-clients-1a2b3c4d/run/run.json").toFile());
        assertThat(run.path("state").asText()).isEqualTo("incomplete");
        assertThat(run.path("reasons"))
                .anySatisfy(reason -> assertThat(reason.asText()).contains("client 3 of 3 is missing"));
        // It was waited for before the start, and is not again at the end.
        assertThat(logs(runs)).contains("not all of 3 clients are there").doesNotContain("not all clients have ended");
    }

    /** The drill is complete long before the other client ends; their windows and load are the same nevertheless. */
    @Test
    @Tag("long")
    @Execution(ExecutionMode.CONCURRENT)
    void drillOfSeveralClientsIsMerged() throws Exception {
        Path runs = Files.createDirectory(folder.resolve("drills"));
        Path drill = Files.writeString(folder.resolve("nothing.yaml"), """
                steady: off
                cooldown: 1s
                steps:
                  - {step: nothing, fault: none, node: random, duration: 5s, at: 0s}
                """);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
        server.start();
        try {
            Map<String, String> settings = Map.of(
                    "OPTIONS",
                    "-P workloads/workloada -p basicdb.verbose=false -p basicdb.simulatedelay=2 -p load.calibration=4s"
                            + " -p db.url=jdbc:mysql://127.0.0.1:"
                            + server.getAddress().getPort() + "/x -threads 1",
                    "RUN_OPTIONS",
                    "--duration 30s",
                    "DRILL_OPTIONS",
                    "-D " + drill.toAbsolutePath(),
                    "WAIT_SECONDS",
                    "90",
                    "END_SECONDS",
                    "5");

            List<Process> clients =
                    List.of(client(runs, 0, 2, "drill", settings), client(runs, 1, 2, "drill", settings));

            for (Process client : clients) {
                assertThat(client.waitFor(8, TimeUnit.MINUTES)).isTrue();
                assertThat(client.exitValue()).as(logs(runs)).isZero();
            }
        } finally {
            server.stop(0);
        }
        Path merged = runs.resolve("ycsb-clients-1a2b3c4d/drill");
        JsonNode run = JSON.readTree(merged.resolve("run.json").toFile());
        assertThat(run.path("state").asText()).as(logs(runs)).isEqualTo("complete");
        assertThat(run.path("clients")).hasSize(2);
        assertThat(run.at("/drill/name").asText()).isEqualTo("nothing");
        assertThat(run.path("durationNanos").asLong()).isBetween(5_000_000_000L, 20_000_000_000L);
        assertThat(run.at("/load/share").asDouble()).isEqualTo(0.6);
        assertThat(JSON.readTree(merged.resolve("summary.json").toFile())
                        .path("drill")
                        .isObject())
                .isTrue();
    }

    private static Process client(Path runs, int index, int clients) throws IOException {
        return client(runs, index, clients, "run", Map.of());
    }

    /** A pod, as far as its script sees: YCSB's database that does nothing, for some seconds; settings win over these. */
    private static Process client(Path runs, int index, int clients, String step, Map<String, String> settings)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                        "/bin/sh",
                        FOLDER.resolve("base/client.sh").toAbsolutePath().toString(),
                        step)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(runs.resolve("log-" + index).toFile());
        builder.environment()
                .putAll(Map.of(
                        "JOB_COMPLETION_INDEX",
                        Integer.toString(index),
                        "CLIENTS",
                        Integer.toString(clients),
                        "JOB",
                        "ycsb-clients",
                        "JOB_UID",
                        "1a2b3c4d-0000-0000-0000-000000000000",
                        "RUNS",
                        runs.toString(),
                        "LEAD_SECONDS",
                        "40",
                        "WAIT_SECONDS",
                        "15",
                        "BINDING",
                        "basic"));
        builder.environment().put("YCSB", home.resolve("bin/ycsb").toString());
        builder.environment().put("OPTIONS", "-P workloads/workloada -p basicdb.verbose=false -threads 1");
        builder.environment().put("RUN_OPTIONS", "--rate 50 --duration 3s --window 1s");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment()
                .put("YCSB_DRILL_STATE", runs.resolve("state-" + index).toString());
        builder.environment().putAll(settings);
        return builder.start();
    }

    private static String logs(Path runs) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int index = 0; Files.exists(runs.resolve("log-" + index)); index++) {
            text.append(Files.readString(runs.resolve("log-" + index)));
        }
        return text.toString();
    }

    private static String value(JsonNode container, String name) {
        for (JsonNode variable : container.path("env")) {
            if (variable.path("name").asText().equals(name)) {
                return variable.path("value").asText();
            }
        }
        return "none";
    }

    private static JsonNode only(List<JsonNode> documents, String kind) {
        List<JsonNode> found = documents.stream()
                .filter(document -> document.path("kind").asText().equals(kind))
                .toList();
        assertThat(found).as(kind).hasSize(1);
        return found.get(0);
    }

    private static List<JsonNode> documents(String text) throws IOException {
        List<JsonNode> documents = new ArrayList<>();
        try (MappingIterator<JsonNode> all = YAML.readerFor(JsonNode.class).readValues(text)) {
            all.forEachRemaining(documents::add);
        }
        return documents;
    }

    private static boolean isThere(String program) {
        return Stream.of(System.getenv("PATH").split(":")).anyMatch(each -> Files.isExecutable(Path.of(each, program)));
    }
}
