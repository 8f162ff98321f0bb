package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.ycsbdrill.base.MarkedSecrets;
import io.ycsbdrill.fault.host.SshHosts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** No secret that is given anywhere is in what is written, printed, served or started; servers, logs and commands repeat each of them. */
@Tag("process")
@EnabledOnOs(OS.LINUX)
@Timeout(240)
class MarkedSecretsIT {
    private static final String WORKLOAD = """
            workload=site.ycsb.workloads.CoreWorkload
            recordcount=50
            operationcount=200
            readproportion=0.5
            updateproportion=0.5
            requestdistribution=uniform
            """;

    @TempDir
    private Path root;

    private MarkedSecrets secrets;
    private HttpServer http;

    @BeforeEach
    void mark() {
        secrets = new MarkedSecrets();
    }

    @AfterEach
    void close() {
        secrets.close();
        if (http != null) {
            http.stop(0);
        }
    }

    /** Everything that a program could say of it. */
    private String repeating(String... places) {
        StringBuilder said = new StringBuilder();
        for (String place : places) {
            String secret = secrets.of(place);
            said.append("denied: ")
                    .append(secret)
                    .append(" (\u001b[31m")
                    .append(secret)
                    .append(") ");
        }
        return said.toString();
    }

    // ---- native: a drill with steps of the user's own -------------------------------------------------------------

    @Test
    void ofADrillWithCommands() throws Exception {
        World world = drillWorld();

        int exitCode = drill(world);

        assertThat(exitCode).as(world.err()).isEqualTo(1);
        assertThat(world.err()).contains("***", "exited with code 3").doesNotContain("\u001b");
        Path run = world.directory().resolve("r");
        assertThat(run.resolve("node1.log")).content().contains("IDENTIFIED BY ***", "started with ***");
        assertThat(run.resolve("markers.jsonl")).content().contains("***");
        assertThat(world.execute("report", "r")).isZero();
        assertThat(world.execute("compare", "r", "r2", "--out", "c.html"))
                .as(world.err())
                .isIn(0, 1, 2);
        world.execute("history", ".", "--out", "h.html");
        world.execute("audit", "r");
        secrets.assertNotIn("stderr", world.err());
        secrets.assertNotIn("stdout", world.out());
        secrets.assertInNoFile(root, Set.of("w.properties", "d.yaml"));
    }

    private World drillWorld() {
        ScriptedEngine engine = new ScriptedEngine(root.toString());
        engine.log = "CREATE USER me IDENTIFIED BY '" + secrets.of("an account") + "'\nstarted with "
                + secrets.of("a property") + "\n" + repeating("the environment");
        World world = new World(root)
                .with(engine)
                .environment("SERVICE_TOKEN", secrets.of("the environment"))
                .file("w.properties", WORKLOAD + "store.password=" + secrets.of("a property") + "\n");
        return world.file("d.yaml", """
                name: commands
                steady: off
                cooldown: 500ms
                recovery_timeout: 5s
                steps:
                  - step: one
                    fault: run
                    node: node2
                    at: 200ms
                    command: [sh, -c, "echo '%s'; exit 3", sh, --password, %s, "http://me:%s@h/", -H, "Authorization: Bearer %s"]
                    heal: [sh, -c, "PGPASSWORD=%s; echo '%s'; exit 3"]
                    verify: [sh, -c, "exit 3", "--token=%s"]
                    healed: [sh, -c, "exit 0", "IDENTIFIED BY '%s'"]
                """.formatted(
                        repeating("a property", "the environment").replace("\u001b", "\\e"),
                        secrets.of("an option"),
                        secrets.of("a URL"),
                        secrets.of("a header"),
                        secrets.of("an assignment"),
                        repeating("a property").replace("\u001b", "\\e"),
                        secrets.of("a token"),
                        secrets.of("a statement")));
    }

    private static int drill(World world) {
        return world.execute(
                "drill",
                "native",
                "-P",
                "w.properties",
                "-D",
                "d.yaml",
                "--out",
                "r",
                "-target",
                "200",
                "--audit",
                "--junit",
                "verdict.xml");
    }

    // ---- jdbc: a server that refuses the login ---------------------------------------------------------------------

    /** It says so in the first packet, before it is asked who there is. */
    private void refuse(ServerSocket listening, String place) {
        byte[] text = ("#28000" + repeating(place)).getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream packet = new ByteArrayOutputStream();
        packet.writeBytes(new byte[] {(byte) (text.length + 3), 0, 0, 0, (byte) 0xff, 0x15, 0x04});
        packet.writeBytes(text);
        Thread server = new Thread(() -> {
            try {
                while (true) {
                    try (Socket client = listening.accept()) {
                        client.getOutputStream().write(packet.toByteArray());
                    }
                }
            } catch (IOException e) {
                return; // closed
            }
        });
        server.setDaemon(true);
        server.start();
    }

    @ParameterizedTest
    @CsvSource({"mysql, db.passwd", "mariadb, db.passwd.file"})
    void ofJdbcWhoseServerRepeatsIt(String scheme, String how) throws Exception {
        String value = how.equals("db.passwd")
                ? secrets.of(how)
                : Files.writeString(root.resolve("secret"), secrets.of(how)).toString();
        World world = new World(root).with().file("w.properties", WORKLOAD + how + "=" + value + "\ndb.user=me\n");

        try (ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            refuse(listening, how);
            String url = "db.url=jdbc:" + scheme + "://127.0.0.1:" + listening.getLocalPort() + "/x";
            assertThat(world.execute("run", "jdbc", "-P", "w.properties", "--no-load", "--out", "r", "-p", url))
                    .as(world.err())
                    .isEqualTo(1);
        }

        assertThat(world.err()).contains("denied: ***").doesNotContain("\u001b");
        assertThat(world.directory().resolve("r/run.json")).content().contains("denied: ***");
        secrets.assertNotIn("stderr", world.err());
        secrets.assertInNoFile(root, Set.of("w.properties", "secret"));
    }

    /** They are refused, and shown neither by the refusal nor by what it leaves. */
    @Test
    void whereNoneMayBe() throws Exception {
        String url = secrets.of("a URL");
        World world = new World(root)
                .with()
                .file("w.properties", WORKLOAD)
                .file("i.yaml", """
                        engine: ndb
                        properties: {ndb.connectstring: h, ndb.sql.password: %1$s}
                        clients:
                          - {id: a, transport: local, jvm_args: ["-Djavax.net.ssl.keyStorePassword=%1$s"]}
                          - {id: b, transport: local, labels: {api_key: %1$s}, properties: {rest.token: %1$s}}
                        """.formatted(url))
                .file("e.yaml", """
                        title: one
                        axes: {threads: [1, 2]}
                        fixed: {binding: rest, workload: w.properties, rest.token: %1$s}
                        """.formatted(url))
                .file("x.yaml", """
                        title: one
                        axes: {threads: [1, 2]}
                        command: run rest -p rest.token=%1$s
                        """.formatted(url));

        for (String typed : List.of(
                "run jdbc -P w.properties -p db.url=jdbc:mysql://me:%1$s@h/x",
                "run jdbc -P w.properties -p db.url=jdbc:mysql://h/x?password1=%1$s",
                "run jdbc -P w.properties -p db.url=jdbc:mysql://address=(host=h)(password=%1$s)/x",
                "run rest -P w.properties -p rest.endpoints=http://me:%1$s@h",
                "run rest -P w.properties -p rest.token=%1$s -p rest.user=me -p rest.password=%1$s",
                "run rest -P w.properties --on i.yaml",
                "doctor --inventory i.yaml",
                "experiment e.yaml",
                "experiment x.yaml",
                "run jdbc -P w.properties -p db.pass=%1$s -p db.unknown=%1$s -p db.url=x",
                "shell jdbc -p db.passwd=%1$s -p db.url=x")) {
            int exitCode = world.execute(typed.formatted(url).split(" "));

            assertThat(exitCode).as(typed).isEqualTo(2);
            secrets.assertNotIn(typed, world.err() + world.out());
        }
        secrets.assertInNoFile(root, Set.of("i.yaml", "e.yaml", "x.yaml"));
    }

    // ---- rest: a server that repeats what it is sent, and clients here and on a host --------------------------------

    private void serve() throws IOException {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        http.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            // One in some is refused, and all that it came with is in the answer.
            boolean fine = exchange.getRequestURI().toString().hashCode() % 5 != 0;
            answer(
                    exchange,
                    fine ? 200 : 500,
                    fine
                            ? "{\"field0\":\"x\"}"
                            : exchange.getRequestHeaders().values().toString());
        });
        http.start();
    }

    private static void answer(HttpExchange exchange, int code, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(code, body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    private void restFiles(Path directory, String more) throws IOException {
        Files.createDirectories(directory);
        Files.writeString(directory.resolve("secret"), secrets.of("a file"));
        Files.writeString(directory.resolve("requests"), """
                read.request = GET /{table}/{key}
                update.request = PUT /{table}/{key}
                update.body = {values}
                insert.request = PUT /{table}/{key}
                insert.body = {values}
                header.X-Service-Token = %s
                """.formatted(secrets.of("a header of the dialect")));
        Files.writeString(
                directory.resolve("w.properties"),
                WORKLOAD + """
                rest.dialect=generic
                rest.generic.file=%s/requests
                rest.endpoints=http://127.0.0.1:%d
                rest.user=me
                rest.api-key.file=%s/secret
                """.formatted(directory, http.getAddress().getPort(), directory) + more);
    }

    private Child child(Path directory, String... arguments) throws IOException {
        return child("007", directory, arguments);
    }

    private Child child(String umask, Path directory, String... arguments) throws IOException {
        Path options = Files.writeString(
                directory.resolve("options"), "-Djavax.net.ssl.keyStorePassword=" + secrets.of("an argument file"));
        List<String> command = new ArrayList<>(List.of("sh", "-c", "umask " + umask + "; exec \"$@\"", "sh"));
        command.addAll(Child.ycsb(arguments));
        command.add(5, "@" + options);
        return new Child(
                directory,
                Map.of(
                        "REST_SECRET", secrets.of("the environment"),
                        "MYSQL_PWD", secrets.of("another variable"),
                        "YCSB_DRILL_STATE", root.resolve("state").toString()),
                command);
    }

    @Test
    void ofTwoClientsOfRestWithALivePage() throws Exception {
        serve();
        Path directory = root.resolve("cwd");
        restFiles(directory, "rest.password.env=REST_SECRET\n");
        StringBuilder served = new StringBuilder();

        try (Child run = child(
                directory,
                "run",
                "rest",
                "-P",
                "w.properties",
                "--clients",
                "2",
                "--out",
                "r",
                "--live",
                "0",
                "-s",
                "--no-load",
                "-p",
                "operationcount=300",
                "-p",
                "recordcount=100",
                "-target",
                "100",
                "--window",
                "1s")) {
            Pattern address = Pattern.compile("live: (http://\\S+/) ");
            run.await(() -> address.matcher(run.err()).find());
            Matcher live = address.matcher(run.err());
            assertThat(live.find()).isTrue();
            for (String page : List.of("", "metrics", "events")) {
                served.append(get(live.group(1) + page));
            }
            assertThat(run.exitCode()).as(run.err()).isIn(0, 1, 3);
            assertThat(run.err()).contains("client 2 of 2");
            secrets.assertNotIn("stderr", run.err());
            secrets.assertNotIn("stdout", run.out());
        }

        assertThat(directory.resolve("r/client-2/run.json")).exists();
        String basic = Base64.getEncoder()
                .encodeToString(("me:" + secrets.of("the environment")).getBytes(StandardCharsets.UTF_8));
        assertThat(served.toString()).contains("Running", "\"state\"").doesNotContain(basic);
        secrets.assertNotIn("the live page", served.toString());
        secrets.assertInNoProcessList();
        secrets.assertInNoFile(root, Set.of("w.properties", "requests", "secret", "options"));
    }

    private static String get(String address) {
        try {
            return HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(URI.create(address)).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }

    @Test
    void ofADrillThroughAProxy() throws Exception {
        serve();
        Path directory = root.resolve("cwd");
        restFiles(directory, "rest.password=" + secrets.of("a property") + "\n");
        Files.writeString(directory.resolve("d.yaml"), """
                name: wires
                steady: off
                load: 100/s
                cooldown: 300ms
                steps:
                  - {step: slow, fault: delay, node: server1, latency: 5ms, duration: 500ms, at: 500ms}
                  - {step: gone, fault: reset, node: server1, after: slow}
                """);

        try (Child run = child(directory, "drill", "rest", "-P", "w.properties", "-D", "d.yaml", "--out", "r", "-s")) {
            assertThat(run.exitCode()).as(run.err()).isIn(0, 1, 3);
            assertThat(run.err()).contains("delay server1", "reset server1");
            secrets.assertNotIn("stderr", run.err());
            secrets.assertNotIn("stdout", run.out());
        }

        assertThat(directory.resolve("r/report.html")).exists();
        secrets.assertInNoProcessList();
        secrets.assertInNoFile(root, Set.of("w.properties", "requests", "secret", "options"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"local", "ssh"})
    void ofAClientOnAHost(String transport) throws Exception {
        serve();
        Path directory = root.resolve("cwd");
        restFiles(directory, "rest.password=" + secrets.of("a property") + "\n");
        Path there = root.resolve("there");
        try (AutoCloseable host = host(transport)) {
            assertThat(host).isNotNull();
            Files.writeString(directory.resolve("i.yaml"), """
                    engine: ndb
                    defaults: {transport: %s%s}
                    clients: [{id: a, host: a, directory: "%s", jvm_args: ["-Xmx200m"]}]
                    """.formatted(
                            transport,
                            transport.equals("ssh") ? ", ssh_config: " + root.resolve("ssh/ssh_config") : "",
                            there));
            onAHost(directory, there);
        }
    }

    private AutoCloseable host(String transport) throws Exception {
        return transport.equals("ssh") ? SshHosts.start(root.resolve("ssh"), List.of("a"), Map.of()) : () -> {};
    }

    private void onAHost(Path directory, Path there) throws Exception {
        try (Child run =
                child(directory, "run", "rest", "-P", "w.properties", "--on", "i.yaml", "--out", "r", "--no-load")) {
            assertThat(run.exitCode()).as(run.err()).isIn(0, 1);
            assertThat(run.err()).contains("client 2 of 2 on a");
            secrets.assertNotIn("stderr", run.err());
            secrets.assertNotIn("stdout", run.out());
        }

        assertThat(mode(directory.resolve("r"))).isEqualTo("rwxrwx---");
        for (String file :
                List.of("run.json", "windows.csv", "summary.json", "client-2/run.json", "client-2/slices.csv")) {
            assertThat(mode(directory.resolve("r").resolve(file))).as(file).isEqualTo("rw-rw----");
        }
        assertThat(mode(there)).as("has the program that is run there").isEqualTo("rwx------");
        secrets.assertInNoProcessList();
        secrets.assertInNoFile(root, Set.of("w.properties", "requests", "secret", "options"));
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    // ---- native: the embedded cluster, whatever the umask ----------------------------------------------------------

    @Test
    void ofADrillOnTheEmbeddedClusterWithoutAUmask() throws Exception {
        Path directory = Files.createDirectories(root.resolve("cwd"));
        Files.writeString(
                directory.resolve("w.properties"), WORKLOAD + "store.password=" + secrets.of("a property") + "\n");
        Files.writeString(directory.resolve("d.yaml"), """
                name: real
                steady: off
                load: 50/s
                cooldown: 300ms
                steps:
                  - {step: still, fault: pause, node: node2, duration: 500ms, at: 500ms}
                  - step: told
                    fault: run
                    node: node1
                    after: still
                    command: [sh, -c, "echo '%s'; exit 3", sh, --password, %s]
                """.formatted(
                repeating("a property", "the environment", "another variable").replace("\u001b", "\\e"),
                secrets.of("an option")));
        StringBuilder said = new StringBuilder();

        assertThat(embedded(said, directory, "cluster", "up", "embedded", "--data-nodes", "2"))
                .as(said.toString())
                .isZero();
        try {
            assertThat(embedded(said, directory, "drill", "native", "-P", "w.properties", "-D", "d.yaml", "--out", "r"))
                    .as(said.toString())
                    .isEqualTo(1);
            assertThat(said).contains("exited with code 3");
            secrets.assertInNoFile(root, Set.of("w.properties", "options", "d.yaml"));
            assertThat(writableByOthers(root.resolve("state"))).isEmpty();
        } finally {
            embedded(said, directory, "cluster", "down", "embedded");
        }

        secrets.assertNotIn("what was printed", said.toString());
        // What a step runs is on the process list for as long as it runs, with the words that the drill has for it.
        secrets.assertInNoProcessListBut("sh -c echo 'denied: ");
    }

    private int embedded(StringBuilder said, Path directory, String... arguments) throws Exception {
        try (Child run = child("000", directory, arguments)) {
            int exitCode = run.exitCode();
            said.append(run.err()).append(run.out());
            return exitCode;
        }
    }

    /** What others can write, or could read below a directory that they can enter, though it is for the owner alone. */
    private static List<String> writableByOthers(Path top) throws IOException {
        List<String> found = new ArrayList<>();
        Files.walkFileTree(top, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
                return mode(folder).endsWith("------") ? FileVisitResult.SKIP_SUBTREE : visitFile(folder, attributes);
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (mode(file).matches(".{4}w.*|.{7}w.")) {
                    found.add(mode(file) + " " + file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return found;
    }
}
