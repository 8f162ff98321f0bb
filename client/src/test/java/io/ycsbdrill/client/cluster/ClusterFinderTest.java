package io.ycsbdrill.client.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.base.NanoClock;
import io.ycsbdrill.client.cli.FakeEngine;
import io.ycsbdrill.client.cli.World;
import io.ycsbdrill.fault.node.Engine;
import io.ycsbdrill.fault.node.FakeNodeController;
import io.ycsbdrill.fault.node.RemoteCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cluster that is named by its address, in any way of writing it. */
class ClusterFinderTest {
    @TempDir
    private Path root;

    private World world;

    @BeforeEach
    void world() {
        world = new World(root).with();
    }

    private ControlledCluster connect(String address) {
        return connect(address, "");
    }

    private ControlledCluster connect(String address, String where) {
        RemoteCluster remote = new RemoteCluster(
                "ndb",
                address,
                "NDB cluster at " + address,
                Map.of(),
                () -> new FakeNodeController(NanoClock.SYSTEM, 1),
                where);
        return new ClusterFinder(world.surroundings()).connect(remote);
    }

    /** Another command took a lock of its own, and lifted the faults of a drill. */
    @ParameterizedTest
    @ValueSource(
            strings = {"127.0.0.1:4711", "localhost:4711", "LocalHost:4711", "[::1]:4711", "far:1186, localhost:4711"})
    void ofThisMachineHasTheLockOfItsEngine(String address) {
        new FakeEngine("ndb", Map.of("ndb.connectstring", "127.0.0.1:4711")).upIn(world);

        assertThat(connect(address).locked())
                .isEqualTo(world.clusters().find("ndb").orElseThrow().directory());
    }

    @Test
    void anEngineOfAFileHasBindingsThatThereAre() throws IOException {
        String text = """
                engine: mine
                programs: [server]
                nodes: {ports: [p], command: [server], probe: {tcp: "{address}:{port.p}", recovered: x}}
                bindings: {%s: {a: b}}
                """;
        world.file("good.yaml", text.formatted("com.example.Client")).file("bad.yaml", text.formatted("rset"));
        ClusterFinder finder = new ClusterFinder(world.surroundings());

        assertThat(finder.engine("./good.yaml").name()).isEqualTo("mine");
        assertThat(finder.recorded(Optional.of("./good.yaml"))).isEmpty();
        assertThatThrownBy(() -> finder.engine("./bad.yaml"))
                .hasMessageContaining("./bad.yaml: bindings: unknown binding \"rset\"");
    }

    /** The commands that heal the one were run for the other. */
    @Test
    void podsOfTheSameNamesElsewhereHaveOpenFaultsOfTheirOwn() throws IOException {
        world = new World(root).with(Engine.installed().toArray(Engine[]::new));
        Set<Path> records = new HashSet<>();
        for (String where :
                List.of("context: a_u, namespace: x", "context: A_u, namespace: x", "context: \"a:u\", namespace: x")) {
            world.file("i.yaml", """
                    engine: galera
                    defaults: {transport: kubectl, %s}
                    data_nodes: [{id: db-0, host: db-0}, {id: db-1, host: db-1}]
                    """.formatted(where));
            Properties properties = new Properties();
            properties.setProperty("inventory", "i.yaml");
            RemoteCluster named =
                    new ClusterFinder(world.surroundings()).remote(properties).orElseThrow();
            ControlledCluster pods = connect(named.address(), named.where());
            records.add(pods.records());
            assertThat(pods.locked())
                    .as("that of whoever names it by its addresses only")
                    .isEqualTo(connect(named.address()).locked());
        }

        assertThat(records).hasSize(3);
    }

    /** Its lock could not be taken: no file has a name that is so long. */
    @Test
    void ofManyHostsHasALockAndRecordsLikeAnyOther() throws IOException {
        String hosts = IntStream.range(0, 40)
                .mapToObj("http://db%d.example.org:4200"::formatted)
                .collect(Collectors.joining(","));

        ControlledCluster many = connect(hosts);

        assertThat(many.during(() -> true)).isTrue();
        AtomicFile.writePrivate(many.records().resolve("heal.json"), new byte[0]);
        assertThat(connect(hosts).records()).isEqualTo(many.records());
        assertThat(connect(hosts + ",http://db40.example.org:4200").records()).isNotEqualTo(many.records());
    }

    @Test
    void hasItsOpenFaultsInOnePlace() {
        Path records = connect("http://127.0.0.1:4200,http://db2:4200").records();

        assertThat(connect("http://localhost:4200, http://DB2:4200").records()).isEqualTo(records);
        assertThat(connect("http://db2:4200,http://127.0.0.1:4200").records()).isEqualTo(records);
        assertThat(connect("http://localhost:4200,http://db2:4200,http://127.0.0.1:4200")
                        .records())
                .isEqualTo(records);
        assertThat(connect("localhost.example.org:4200").records()).isNotEqualTo(records);
        assertThat(connect("localhost.example.org:1186").records())
                .isEqualTo(world.clusters().home("remote-localhost.example.org_1186"));
    }
}
