package io.ycsbdrill.fault.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.base.InputFile;
import io.ycsbdrill.base.Io;
import io.ycsbdrill.base.OwnedDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The record of clusters that are up, one folder per engine: {@code <root>/<engine>/cluster.json}. The root is
 * {@code $YCSB_DRILL_STATE}, else {@code $XDG_STATE_HOME/ycsb-drill}, else {@code ~/.local/state/ycsb-drill}. Immutable;
 * files are replaced atomically, so that a reader never sees half a descriptor.
 */
public final class ClusterDirectory {
    /** Apart, because a mapper takes a tenth of a second to make, and most commands read no descriptor. */
    private static final class Json {
        static final ObjectMapper MAPPER = new ObjectMapper();
    }

    private static final int SCHEMA = 1;

    private final Path root;

    public ClusterDirectory(Path root) {
        this.root = root;
    }

    /** The user's own, from the environment given (as of {@link System#getenv()}). */
    public static ClusterDirectory of(Map<String, String> environment) {
        String own = environment.get("YCSB_DRILL_STATE");
        if (own != null && !own.isBlank()) {
            return new ClusterDirectory(Path.of(own).toAbsolutePath());
        }
        String xdg = environment.get("XDG_STATE_HOME");
        Path state =
                xdg != null && !xdg.isBlank() ? Path.of(xdg) : Path.of(System.getProperty("user.home"), ".local/state");
        return new ClusterDirectory(state.resolve("ycsb-drill"));
    }

    /** Where a cluster of the engine keeps its files. */
    public Path home(String engine) {
        return root.resolve(engine);
    }

    /** Where the processes and data of the engine's cluster are, from the first step of its start on. */
    public Path directory(String engine) {
        return home(engine).resolve("cluster");
    }

    /**
     * The cluster of that engine that was started last and not taken down; whether it still runs is for the engine to say.
     *
     * @throws NodeControlException when a descriptor is there but cannot be read
     */
    public Optional<ClusterDescriptor> find(String engine) {
        Path file = file(engine);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            InputFile.requireOwn(file);
            JsonNode json = Json.MAPPER.readTree(file.toFile());
            if (json.path("schema").longValue() != SCHEMA) {
                throw new IllegalArgumentException("its schema is " + json.path("schema") + ", this version reads "
                        + SCHEMA + "; use the version that wrote it");
            }
            if (!json.path("engine").asText().equals(engine)) {
                throw new IllegalArgumentException("its engine is " + json.path("engine") + ", not \"" + engine + "\"");
            }
            if (!json.path("directory").asText().startsWith("/")) {
                throw new IllegalArgumentException(
                        "its directory is " + json.path("directory") + ", not an absolute path");
            }
            Map<String, Map<String, String>> bindings = new HashMap<>();
            json.path("bindings").properties().forEach(b -> bindings.put(b.getKey(), strings(b.getValue())));
            return Optional.of(new ClusterDescriptor(
                    json.path("engine").asText(),
                    Path.of(json.path("directory").asText()),
                    Instant.parse(json.path("createdAt").asText()),
                    json.path("engineVersion").asText(),
                    bindings,
                    strings(json.path("engineState"))));
        } catch (IOException | RuntimeException e) {
            throw new NodeControlException(
                    "cluster descriptor " + file + " cannot be read: "
                            + (e instanceof IOException io ? FileReason.of(io) : e.getMessage())
                            + "; if no cluster of yours is running, remove the file",
                    e);
        }
    }

    /** All recorded clusters, in order of engine name. */
    public List<ClusterDescriptor> all() {
        return names().stream().flatMap(name -> find(name).stream()).toList();
    }

    /** Names of the engines that have or had clusters here, in order. */
    public List<String> names() {
        if (!Files.isDirectory(root)) {
            return List.of();
        }
        return NodeIo.get("state directory " + root + " cannot be listed", () -> Io.names(root));
    }

    /** Writes the descriptor, replacing the engine's earlier one. */
    public void write(ClusterDescriptor descriptor) {
        Path file = file(descriptor.engine());
        ObjectNode json = Json.MAPPER.createObjectNode();
        json.put("schema", SCHEMA);
        json.put("engine", descriptor.engine());
        json.put("directory", descriptor.directory().toString());
        json.put("clusterId", owned(descriptor.directory(), descriptor.engine()).id());
        json.put("createdAt", descriptor.createdAt().toString());
        json.put("engineVersion", descriptor.engineVersion());
        json.set("bindings", Json.MAPPER.valueToTree(descriptor.bindings()));
        json.set("engineState", Json.MAPPER.valueToTree(descriptor.engineState()));
        NodeIo.run(
                "cluster descriptor " + file + " cannot be written",
                () -> AtomicFile.writePrivate(
                        file, Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(json)));
    }

    /**
     * The directory of a recorded cluster, to be asked for before anything of the cluster is changed.
     *
     * @throws NodeControlException when nothing proves that it is this cluster's, on this machine; the message says what to do
     */
    public OwnedDirectory owned(ClusterDescriptor descriptor) {
        OwnedDirectory owned = owned(descriptor.directory(), descriptor.engine());
        Path file = file(descriptor.engine());
        return NodeIo.get("cluster descriptor " + file + " cannot be read", () -> {
            String recorded =
                    Json.MAPPER.readTree(file.toFile()).path("clusterId").asText();
            if (!owned.id().equals(recorded)) {
                throw new NodeControlException(
                        "directory \"" + owned.path() + "\" is left alone: it is that of cluster "
                                + owned.id() + ", and " + file + " is of cluster \"" + recorded
                                + "\"; look which of them runs, and remove what is left of the other by hand");
            }
            return owned;
        });
    }

    private OwnedDirectory owned(Path directory, String engine) {
        try {
            return OwnedDirectory.of(directory, engine);
        } catch (IOException e) {
            throw new NodeControlException(
                    FileReason.of(e) + "; the cluster is recorded in " + file(engine)
                            + ", which is to be removed with it",
                    e);
        }
    }

    /** Removes the record of the engine's cluster; nothing happens when there is none. */
    public void forget(String engine) {
        NodeIo.run(
                "cluster descriptor " + file(engine) + " cannot be removed", () -> Files.deleteIfExists(file(engine)));
    }

    private Path file(String engine) {
        return home(engine).resolve("cluster.json");
    }

    private static Map<String, String> strings(JsonNode object) {
        Map<String, String> map = new HashMap<>();
        object.properties().forEach(f -> map.put(f.getKey(), f.getValue().asText()));
        return map;
    }
}
