package io.ycsbdrill.binding.embedded;

import io.ycsbdrill.binding.KeyOwnersContract;
import io.ycsbdrill.binding.NodeReads;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.Pausable;
import io.ycsbdrill.fault.node.embedded.EmbeddedEngine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import site.ycsb.DB;

/** On a cluster without backups, where the only node that has a row is its owner. */
@Tag("process")
@EnabledOnOs(OS.LINUX)
class EmbeddedKeyOwnersIT extends KeyOwnersContract {
    @TempDir
    private static Path directory;

    private static LocalCluster cluster;

    @BeforeAll
    static void start() {
        cluster = new EmbeddedEngine()
                .up(directory.resolve("c"), Map.of("data-nodes", "3", "backups", "0"), Lifetime.OWNED, line -> {});
    }

    @AfterAll
    static void end() {
        cluster.down();
    }

    private static EmbeddedBinding open(Map<String, String> more) throws Exception {
        EmbeddedBinding db = new EmbeddedBinding();
        Properties properties = new Properties();
        properties.putAll(cluster.descriptor().bindings().get("native"));
        properties.putAll(more);
        db.setProperties(properties);
        db.init();
        return db;
    }

    @Override
    protected DB open() throws Exception {
        return open(Map.of());
    }

    @Override
    protected String table() {
        return "usertable";
    }

    @Override
    protected List<String> ownersByServer(List<String> keys) throws Exception {
        EmbeddedBinding all = open(Map.of());
        List<NodeReads.Node> nodes = all.nodes().nodes();
        all.cleanup();
        Map<String, String> owners = new HashMap<>();
        for (NodeReads.Node node : nodes) {
            EmbeddedBinding one = open(node.properties());
            for (String key : keys) {
                if (one.read(table(), key, null, new HashMap<>()).isOk()) {
                    owners.merge(key, node.name(), (first, second) -> first + " and " + second);
                }
            }
            one.cleanup();
        }
        List<String> byKey = new ArrayList<>();
        keys.forEach(key -> byKey.add(owners.get(key)));
        return byKey;
    }

    @Override
    protected void pause(String node) {
        cluster.capability(Pausable.class).orElseThrow().pause(node);
    }

    @Override
    protected void resume(String node) {
        cluster.capability(Pausable.class).orElseThrow().resume(node);
    }
}
