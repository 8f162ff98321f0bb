package io.ycsbdrill.client.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.cli.FakeEngine;
import io.ycsbdrill.client.cli.StoreDb;
import io.ycsbdrill.client.cli.World;
import io.ycsbdrill.client.cli.option.BindingOptions;
import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.os.Directories;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class AccessFinderTest {
    @TempDir
    private Path root;

    private World world;
    private final FakeEngine embedded = new FakeEngine("embedded");
    private final FakeEngine ndb = new FakeEngine("ndb");
    private final Properties properties = new Properties();

    @BeforeEach
    void world() {
        world = new World(root).with(embedded, ndb);
    }

    private Access find(String... arguments) {
        BindingOptions options = CommandLine.populateCommand(new BindingOptions(), arguments);
        return new AccessFinder(world.surroundings()).find(options.binding(), options.engine(), properties);
    }

    @Test
    void withoutAnyClusterAnEmbeddedOneIsStartedAndStopped() {
        try (Access access = find("native")) {
            assertThat(access.owned()).isTrue();
            assertThat(access.bindingClass()).isEqualTo(StoreDb.class.getName());
            assertThat(access.properties()).isEqualTo(Map.of("store", "embedded"));
            assertThat(access.engine().path("name").asText()).isEqualTo("embedded");
            assertThat(access.engine().path("nodes")).hasSize(2);
            assertThat(embedded.calls).containsExactly("up OWNED {}");
        }

        assertThat(embedded.calls).endsWith("down");
        assertThat(world.err()).contains("an embedded one is started").contains("its figures are not RonDB's");
        assertThat(world.clusters().all()).isEmpty();
    }

    @Test
    void aClusterThatIsUpIsUsedAndLeftUp() {
        embedded.upIn(world);

        find("native").close();

        assertThat(embedded.calls).containsExactly("attach", "close");
        assertThat(world.err()).contains("its figures are not RonDB's");
    }

    private ClusterDescriptor recorded() {
        embedded.upIn(world);
        return world.clusters().find("embedded").orElseThrow();
    }

    private void upForRest() {
        ClusterDescriptor up = recorded();
        world.clusters()
                .write(new ClusterDescriptor(
                        up.engine(),
                        up.directory(),
                        up.createdAt(),
                        up.engineVersion(),
                        Map.of(
                                "rest",
                                Map.of("rest.endpoints", "http://127.0.0.1:7", "writeallfields", "true"),
                                StoreDb.class.getName(),
                                Map.of("store.at", "127.0.0.1:7000,127.0.0.1:7001", "store.kind", "a")),
                        up.engineState()));
    }

    @Test
    void howRowsAreWrittenNamesNoOtherServers() {
        upForRest();
        properties.setProperty("writeallfields", "false");
        properties.setProperty("store.kind", "b");

        try (Access access = find("rest")) {
            assertThat(access.owned()).isFalse();
            assertThat(access.properties()).containsEntry("rest.endpoints", "http://127.0.0.1:7");
        }
        try (Access access = find(StoreDb.class.getName())) {
            assertThat(access.properties()).containsEntry("store.at", "127.0.0.1:7000,127.0.0.1:7001");
        }
        assertThat(embedded.calls).doesNotContain("up OWNED {}");
    }

    @Test
    void addressesDoNameOtherServers() {
        upForRest();
        properties.setProperty("rest.endpoints", "http://10.0.0.1:7");
        properties.setProperty("store.at", "10.0.0.1:7");

        assertThat(find("rest").cluster()).isEmpty();
        assertThat(find(StoreDb.class.getName()).cluster()).isEmpty();
    }

    @Test
    void anNdbClusterThatIsUpComesFirst() {
        embedded.upIn(world);
        ndb.upIn(world);

        Access access = find("native");

        assertThat(access.properties()).isEqualTo(Map.of("store", "ndb"));
        assertThat(world.err()).contains("ndb cluster in").doesNotContain("RonDB");
    }

    @Test
    void aRunOnCrateDbGoesOnWhenNobodyTellsOfItsNodes() {
        properties.setProperty("rest.dialect", "cratedb");
        properties.setProperty("rest.endpoints", "http://127.0.0.1:1");

        try (Access access = find("rest")) {
            assertThat(access.cluster()).isEmpty();
            assertThat(world.err()).contains("the nodes of this cluster are unknown", "no server of CrateDB answers");
        }
    }

    @Test
    void aRunOnHarperDbAsksItsOperationsApiAndGoesOnWhenNobodyAnswers() {
        properties.setProperty("rest.dialect", "harperdb");
        properties.setProperty("rest.endpoints", "http://127.0.0.1:9926");
        properties.setProperty("rest.harperdb.operations.port", "1");

        try (Access access = find("rest")) {
            assertThat(access.cluster()).isEmpty();
            assertThat(world.err())
                    .contains(
                            "the nodes of this cluster are unknown",
                            "does not say which node it is at http://127.0.0.1:1/ (java.net.ConnectException); all nodes must be up");
        }
    }

    @Test
    void aWrongPropertyOfAWatchedClusterIsAMistake() {
        properties.setProperty("rest.dialect", "cratedb");
        properties.setProperty("rest.endpoints", "http://127.0.0.1:1");
        properties.setProperty("rest.password", "without-user");

        assertThatThrownBy(() -> find("rest"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("rest.user")
                .hasMessageNotContaining("without-user");
    }

    @Test
    void addressesOfCrateDbThatAreNoneAreAMistake() {
        properties.setProperty("rest.dialect", "cratedb");
        properties.setProperty("rest.endpoints", "n1:4200 n2:4200");

        assertThatThrownBy(() -> find("rest"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("rest.endpoints=n1:4200 n2:4200");
    }

    @Test
    void anEngineAskedForByNameComesBeforeEverything() {
        embedded.upIn(world);
        ndb.upIn(world);
        world.environment("NDB_HOME", "/opt/ndb");
        properties.setProperty("ndb.connectstring", "far:1186");

        assertThat(find("native", "--engine", "embedded").properties()).isEqualTo(Map.of("store", "embedded"));
    }

    @Test
    void aClusterWhoseProcessesAreGoneIsNotedAndPassedOver() {
        ndb.upIn(world).attachable = false;

        Access access = find("native");

        assertThat(access.owned()).isTrue();
        assertThat(world.err())
                .contains("the ndb cluster in")
                .contains("no process of it is left")
                .contains("ycsb cluster down ndb");
    }

    @Test
    void aClusterWithoutARunningNodeIsNotedAndPassedOver() {
        embedded.upIn(world).nodeState = NodeStatus.State.DOWN;

        assertThat(find("native").owned()).isTrue();
        assertThat(world.err()).contains("none of the nodes of the embedded cluster");
    }

    @Test
    void ndbHomeMeansTheNdbClusterThatIsUp() {
        ndb.upIn(world);
        embedded.upIn(world);
        world.environment("NDB_HOME", "/opt/ndb");

        assertThat(find("native").properties()).isEqualTo(Map.of("store", "ndb"));
    }

    @Test
    void ndbHomeWithoutAClusterIsAnErrorAndNotAnotherEngine() {
        embedded.upIn(world);
        world.environment("NDB_HOME", "/opt/ndb");

        assertThatThrownBy(() -> find("native"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("ndb.connectstring is not set")
                .hasMessageContaining("ycsb cluster up ndb");
        assertThat(embedded.calls).isEmpty();
    }

    @Test
    void ndbIsNeverReplacedByTheEmbeddedClusterWhenAskedFor() {
        embedded.upIn(world);
        properties.setProperty("ndb.connectstring", "127.0.0.1:1");
        // The class may or may not be in the build that runs this test; either way embedded must not be touched.
        try {
            assertThat(find("native").bindingClass()).isEqualTo("io.ycsbdrill.binding.ndb.NdbBinding");
        } catch (ConfigException e) {
            assertThat(e).hasMessageContaining("io.ycsbdrill.binding.ndb.NdbBinding");
        }

        assertThat(embedded.calls).isEmpty();
        assertThat(world.err()).contains("native: NDB cluster at 127.0.0.1:1");
    }

    @Test
    void theInstallationFoundIsHandedOnToTheBinding() {
        properties.setProperty("ndb.connectstring", "127.0.0.1:1");
        world.environment("NDB_HOME", "/opt/ndb");

        assertThat(find("native").properties()).containsEntry("ndb.home", "/opt/ndb");
    }

    @Test
    void aClusterElsewhereIsTheOneControlledWhateverTheBinding() {
        embedded.upIn(world);
        properties.setProperty("ndb.connectstring", "127.0.0.1:1");

        assertThat(find("basic").cluster()).isEmpty();

        assertThat(embedded.calls).isEmpty();
        assertThat(world.err()).contains("127.0.0.1:1");
    }

    @Test
    void aClassIsUsedAsItIs() {
        Access access = find(StoreDb.class.getName());

        assertThat(access.bindingClass()).isEqualTo(StoreDb.class.getName());
        assertThat(access.cluster()).isEmpty();
        assertThat(access.engine().path("version").asText()).isEqualTo("unknown");
    }

    @Test
    void theOptionDbOverridesTheBindingsClass() {
        properties.setProperty("db", StoreDb.class.getName());

        assertThat(find("native").bindingClass()).isEqualTo(StoreDb.class.getName());
        assertThat(embedded.calls).isEmpty();
    }

    @Test
    void aBindingClassThatIsMissingStopsTheClusterAgain() {
        FakeEngine odd = new FakeEngine("embedded", Map.of("db", "com.example.Missing"));
        world.with(odd);

        assertThatThrownBy(() -> find("native"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("com.example.Missing");
        assertThat(odd.calls).containsExactly("up OWNED {}", "down");
    }

    @Test
    void whatAKilledCommandLeftBehindIsRemoved() throws Exception {
        // Larger than any process id of Linux.
        Path abandoned = world.clusters().home("owned-4194999").resolve("node1");
        Directories.claim(abandoned.getParent(), "embedded");
        Path notOurs = world.clusters().home("owned-4194998");
        Path alive = world.clusters()
                .home("owned-" + ProcessHandle.current().parent().orElseThrow().pid());
        Path other = world.clusters().home("embedded");
        for (Path directory : new Path[] {abandoned, notOurs, alive, other}) {
            Files.createDirectories(directory);
            Files.writeString(directory.resolve("data"), "x");
        }

        find("native").close();

        assertThat(embedded.calls)
                .as("with its processes, and what it has outside of its directory")
                .containsExactly("remove leftovers of owned-4194999", "up OWNED {}", "down");
        assertThat(notOurs.resolve("data")).exists();
        assertThat(alive.resolve("data")).exists();
        assertThat(other.resolve("data")).exists();
    }
}
