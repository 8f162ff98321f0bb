package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of a first drill: each is accepted by the commands that {@code init} says are next. */
class InitCommandTest {
    @TempDir
    private Path root;

    private World world;
    private ScriptedEngine engine;

    @BeforeEach
    void world() throws IOException {
        engine = new ScriptedEngine(root.toString());
        world = new World(root).with(engine).environment("XDG_CACHE_HOME", root.toString());
        ships("node-restart");
        ships("primary-kill");
    }

    private void ships(String drill) throws IOException {
        String file = "workloads/drills/" + drill + ".yaml";
        world.homeFile(file, Files.readString(Path.of("..").resolve(file)));
    }

    private String text(String name) throws IOException {
        return Files.readString(world.directory().resolve(name));
    }

    /** The commands that were printed, without the name of the program. */
    private List<String> next() {
        return world.out()
                .lines()
                .filter(line -> line.startsWith("ycsb "))
                .map(line -> line.substring("ycsb ".length()))
                .toList();
    }

    @Test
    void aClusterOnThisMachineNeedsNoAnswers() throws IOException {
        assertThat(world.execute("init")).as(world.err()).isZero();

        assertThat(world.err()).contains("written: workload.properties", "written: drill.yaml");
        assertThat(world.directory().resolve("inventory.yaml")).doesNotExist();
        assertThat(text("drill.yaml"))
                .contains("max_out: 10s          # survivors notice a dead node")
                .doesNotContain("$schema");
        assertThat(next())
                .containsExactly(
                        "drill native -P workload.properties -D drill.yaml --plan",
                        "drill native -P workload.properties -D drill.yaml --audit");
        assertThat(world.execute("drill", "--check", "drill.yaml")).isZero();
        assertThat(world.execute(next().get(0).split(" "))).as(world.err()).isZero();
        assertThat(engine.nodes.calls()).isEmpty();
    }

    @Test
    void theFilesRunAsTheyAre() throws IOException {
        world.execute("init", "--dir", "mine");
        // The times of a drill for people, on a cluster in memory.
        world.file("mine/drill.yaml", text("mine/drill.yaml").replace("steady:\n", "steady: off\nignored:\n"))
                .file(
                        "mine/drill.yaml",
                        text("mine/drill.yaml")
                                .replaceAll("(?s)ignored:\n.*?cooldown: \\d+s", "cooldown: 500ms")
                                .replace("down: 5s ", "down: 200ms "));

        int exitCode = world.execute(
                "drill",
                "native",
                "-P",
                "mine/workload.properties",
                "-D",
                "mine/drill.yaml",
                "-p",
                "recordcount=50",
                "-target",
                "200",
                "--out",
                "r");

        assertThat(exitCode).as(world.err()).isIn(0, 3);
        assertThat(engine.nodes.calls()).anyMatch(call -> call.startsWith("kill node"));
        assertThat(text("r/run.json")).contains("\"state\" : \"complete\"", "\"threads\" : 4");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ndb", "galera", "cratedb", "harperdb", "patroni"})
    void anInventoryListsTheHosts(String name) throws IOException {
        int exitCode = world.execute(
                "init",
                name,
                "--hosts",
                "db1.invalid,db2.invalid,db3.invalid",
                "--user",
                "dbops",
                "--client-hosts",
                "load.invalid");

        assertThat(exitCode).as(world.err()).isZero();
        assertThat(text("inventory.yaml"))
                .contains("engine: " + name, "transport: ssh, user: dbops", "host: db1.invalid", "host: db3.invalid")
                .contains("clients: [{id: load1, host: load.invalid}]")
                .doesNotContain("$");
        assertThat(text("workload.properties")).contains("threadcount=4").doesNotContain("$");
        assertThat(world.err()).contains("found: bad  data node", "db2.invalid", "cannot be asked");
        assertThat(next()).hasSize(3).first().isEqualTo("doctor -P workload.properties --inventory inventory.yaml");
        assertThat(world.execute(next().get(1).split(" ")))
                .as(world.err() + world.out())
                .isZero();
        assertThat(world.out()).contains("db3.invalid");
    }

    /** What operators of a primary and replicas ask first: for how long nobody takes writes, and what is lost. */
    @ParameterizedTest
    @CsvSource({"patroni, crash, primary", "galera, restart, random"})
    void theDrillToBeginWithIsTheEnginesOwn(String name, String step, String node) throws IOException {
        assertThat(world.execute("init", name, "--hosts", "db1.invalid,db2.invalid"))
                .as(world.err())
                .isZero();

        assertThat(text("drill.yaml")).containsPattern("- step: " + step + "\\n +fault: restart\\n +node: " + node);
    }

    /** What is not known of an engine of a file is to be filled in, and what is missing is said by its key. */
    @Test
    void anEngineOfAFileHasAnInventoryWhosePortsAreToBeFilledIn() throws IOException {
        world.file("etcd.yaml", Files.readString(Path.of("../examples/engines/etcd.yaml")));

        int code = world.execute("init", "./etcd.yaml", "--hosts", "db1.invalid,db2.invalid", "--dir", "mine");

        assertThat(code).as(world.err()).isZero();
        assertThat(next())
                .contains(
                        "drill rest -P mine/workload.properties -D mine/drill.yaml --on mine/inventory.yaml --dry-run");
        assertThat(text("mine/inventory.yaml"))
                .contains("engine: " + world.directory().resolve("etcd.yaml"))
                .contains("{id: db1, host: db1.invalid}", "pid_file: /run/etcd.pid", "data_directory: /var/lib/etcd");
        assertThat(world.execute(next().get(1).split(" "))).isEqualTo(2);
        assertThat(world.err())
                .contains("etcd.port.client=PORT is not a port, or one for each of db1, db2; give it in the inventory");
        world.file("mine/inventory.yaml", text("mine/inventory.yaml").replace("\"PORT\"", "2379"));
        assertThat(world.execute(next().get(1).split(" "))).as(world.err()).isZero();
        assertThat(world.out()).contains("systemctl start etcd");
    }

    @Test
    void theDrillThatIsNamedIsWritten() throws IOException {
        assertThat(world.execute("init", "patroni", "--hosts", "db1.invalid,db2.invalid", "--drill", "node-restart"))
                .as(world.err())
                .isZero();

        assertThat(text("drill.yaml")).contains("- step: restart\n");
    }

    /** A server that nobody has named has the name of its host, and a drill refuses other ids. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            galera  | db1.invalid,db2.invalid | {id: db1, host: db1.invalid}
            patroni | db1.invalid,db2.invalid | {id: db2, host: db2.invalid}
            patroni | 127.0.0.1,127.0.0.2     | {id: node2, host: 127.0.0.2}
            galera  | db.a.invalid,db.b.invalid | {id: node1, host: db.a.invalid}
            """)
    void anIdIsWhatTheServerCallsItself(String name, String hosts, String entry) throws IOException {
        assertThat(world.execute("init", name, "--hosts", hosts, "--transport", "docker"))
                .as(world.err())
                .isZero();

        assertThat(text("inventory.yaml")).contains(entry);
        assertThat(text("workload.properties")).contains("#   CREATE ", "\ndb.user=ycsb\n");
    }

    @Test
    void aDrillNamesTheInventoryWhoseNodesDoNotAnswer() {
        world.execute("init", "galera", "--hosts", "db1.invalid,db2.invalid");

        assertThat(world.execute(next().get(2).split(" "))).isEqualTo(2);

        assertThat(world.err())
                .contains("the nodes of this cluster are unknown: no node of galera answers")
                .contains("a drill needs the nodes of ", "ycsb doctor --inventory ")
                .doesNotContain("rest.endpoints");
    }

    /** Hosts as listed are not enough: a drill that is refused after a doctor without a finding would be a surprise. */
    @Test
    @Tag("process")
    void theDoctorAsksTheClusterWhoseHostsAreAsListed() throws Exception {
        Process server = new ProcessBuilder("sleep", "60").start();
        try {
            Path data = Files.createDirectories(root.resolve("data"));
            Files.writeString(root.resolve("pid"), server.pid() + "\n");
            world.file("i.yaml", """
                    engine: cratedb
                    properties: {rest.dialect: cratedb, rest.endpoints: "http://127.0.0.1:1"}
                    defaults: {transport: local, pid_file: %s/pid, data_directory: %s}
                    data_nodes: [{id: n1, program: sleep, commands: {start: [sleep, "0"]}}]
                    """.formatted(root, data));

            assertThat(world.execute("doctor", "--inventory", "i.yaml"))
                    .as(world.err())
                    .isEqualTo(1);

            assertThat(world.out())
                    .contains("ok    data node n1")
                    .contains("bad   the cluster cannot be asked: ")
                    .contains("bad   rest: the server accepts no connection at 127.0.0.1:1: Connection refused; ");
        } finally {
            server.destroyForcibly();
        }
    }

    /** A host that lets ssh in may keep clients out, so the doctor that init names is given the clients' file. */
    @Test
    void theDoctorTriesTheServersAsClientsReachThem() {
        world.execute("init", "galera", "--hosts", "db1.invalid,db2.invalid");

        assertThat(world.execute(next().get(0).split(" "))).isEqualTo(1);
        assertThat(world.out())
                .contains("bad   jdbc: the server accepts no connection at db1.invalid:3306: unknown host; ")
                .contains("db2.invalid:3306");
        assertThat(world.execute("doctor", "--inventory", "inventory.yaml")).isEqualTo(1);
        assertThat(world.out())
                .contains("note  whether clients here reach the servers was not tried: name them by -P FILE");
    }

    @Test
    void theDoctorPrintsNoPasswordAndKnowsWhatNoPortIs() {
        world.execute("init", "galera", "--hosts", "db1.invalid,db2.invalid");
        String[] words =
                "doctor --inventory inventory.yaml -p rest.endpoints=http://admin:secret@db1:9200 -p".split(" ");
        String[] all = Arrays.copyOf(words, words.length + 3);
        all[words.length] = "db.url=jdbc:mysql://db1/ycsb";
        all[words.length + 1] = "-p";
        all[words.length + 2] = "db.hosts=db1:99999";

        assertThat(world.execute(all)).isEqualTo(1);
        assertThat(world.out())
                .contains("note  rest.endpoints: servers are written as http://host:port, not http://***@db1:9200")
                .containsPattern("bad   .*99999")
                .doesNotContain("secret");
    }

    @Test
    void sqlNodesAreListedAndLookedAtBeforeAnythingIsWritten() throws IOException {
        int exitCode = world.execute(
                "init", "ndb", "--hosts", "db1.invalid,db2.invalid", "--sql-hosts", "sql1.invalid,sql2.invalid");

        assertThat(exitCode).as(world.err()).isZero();
        assertThat(text("inventory.yaml"))
                .contains("sql_nodes: [{id: sql1, host: sql1.invalid}, {id: sql2, host: sql2.invalid}]")
                .doesNotContain("clients:");
        assertThat(world.err()).containsSubsequence("found: bad  SQL node sql2", "written: inventory.yaml");
    }

    @Test
    void serversWithoutAnInventoryAreHarmedByCommands() throws IOException {
        assertThat(world.execute("init", "postgresql", "--hosts", "pg1,pg2"))
                .as(world.err())
                .isZero();

        Properties properties = new Properties();
        properties.load(Files.newBufferedReader(world.directory().resolve("workload.properties")));
        assertThat(properties)
                .containsEntry("db.hosts", "pg1:5432,pg2:5432")
                .containsEntry("db.url", "jdbc:postgresql://pg1:5432/ycsb");
        assertThat(text("drill.yaml")).contains("\"root@{host}\"").doesNotContain("$");
        assertThat(world.execute("drill", "--check", "drill.yaml")).isZero();
        assertThat(next()).containsExactly("drill jdbc -P workload.properties -D drill.yaml --audit");
    }

    @Test
    void theClusterToStartIsOneThatTheDrillCanRunOn() throws IOException {
        world.with(new FakeEngine("galera"));
        ships("partition");

        assertThat(world.execute("init", "galera", "--drill", "partition"))
                .as(world.err())
                .isZero();
        assertThat(next()).first().isEqualTo("cluster up galera --network isolated");
    }

    @Test
    void nothingIsOverwrittenNorWrittenInPart() throws IOException {
        world.file("drill.yaml", "mine");

        assertThat(world.execute("init")).isEqualTo(2);
        assertThat(world.err()).contains("drill.yaml is in", "nothing is overwritten", "--dir DIR");
        assertThat(text("drill.yaml")).isEqualTo("mine");
        assertThat(world.directory().resolve("workload.properties")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            init galerra --hosts a,b,c       | did you mean "galera"?
            init nosuch                      | ENGINE nosuch is not one of
            init postgresql                  | on this machine; where are its servers? --hosts HOST,...
            init --hosts a,b,c               | is not one of cratedb, galera, harperdb, ndb, patroni, postgresql on other hosts
            init galera --hosts 'a b,c'      | is no name
            init galera --hosts -x,b         | is no name
            init galera --hosts a --user 'x}'| is no name
            init galera --hosts a --transport scp | transport
            init --drill nosuch              | drill file nosuch is not there
            init --user dbops                | --user is for a cluster on other hosts; name them: --hosts
            init --client-hosts load1        | --client-hosts is for a cluster on other hosts
            init galera --hosts a --sql-hosts b | --sql-hosts has no place in the files for galera
            init --sql-hosts b                  | --sql-hosts is for a cluster on other hosts
            init galera --hosts a --management b | --management has no place in the files for galera on other hosts
            init postgresql --hosts a --transport docker | --transport has no place in the files for postgresql
            init postgresql --hosts a --drill node-restart | --drill has no place in the files for postgresql
            """)
    void whatCannotBeIsRefusedAndNothingWritten(String line, String expected) {
        assertThat(world.execute(BadInput.words(line).toArray(String[]::new))).isEqualTo(2);
        assertThat(world.err()).contains(expected);
        assertThat(world.directory().resolve("workload.properties")).doesNotExist();
    }

    @Test
    void onATerminalWhatIsMissingIsAskedFor() throws IOException {
        world.typing("db1.invalid, db2.invalid\ngalera\n\n");

        assertThat(Main.execute(world.terminal(), "init")).as(world.err()).isZero();
        assertThat(world.err()).contains("Hosts of the data nodes", "Database: cratedb, galera", "[root]: ");
        assertThat(text("inventory.yaml")).contains("engine: galera", "user: root", "host: db2.invalid");
    }

    @Test
    void onATerminalNothingTypedIsAClusterHere() {
        world.typing("\n\n");

        assertThat(Main.execute(world.terminal(), "init")).as(world.err()).isZero();
        assertThat(world.directory().resolve("workload.properties")).exists();
        assertThat(world.directory().resolve("inventory.yaml")).doesNotExist();
    }
}
