package io.ycsbdrill.client.cluster;

import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.base.InputFile;
import io.ycsbdrill.base.TableSchema;
import io.ycsbdrill.base.TableSchema.AlreadyThereException;
import io.ycsbdrill.base.TableSchema.Change;
import io.ycsbdrill.binding.BindingPlugin;
import io.ycsbdrill.fault.node.Alterable;
import io.ycsbdrill.fault.node.ForwardingController;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeIo;
import io.ycsbdrill.fault.node.Sight;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import site.ycsb.DBException;

/**
 * A cluster that this tool has started, and the schema of the workload's table on it. What is added to the table is recorded beside the open
 * faults, so that a later process can drop it. Thread-safe.
 */
public final class AlterableCluster extends ForwardingController implements Alterable {
    private static final String FILE = "schema.properties";
    private static final String SQL = "jdbc";
    private static final String TABLE = "table";
    /** By these a run may use another database than the one of the descriptor. */
    private static final List<String> DATABASE = List.of(
            "db.url",
            "db.hosts",
            "db.user",
            "ndb.database",
            "ndb.connectstring",
            "rest.cratedb.schema",
            "rest.endpoints");

    private final Path file;
    private final Reach tables;
    private final String table;
    private final Optional<String> elsewhere;
    private final Map<Change, Duration> done = new ConcurrentHashMap<>();
    private final ReentrantLock changing = new ReentrantLock();

    /**
     * A cluster with a table.
     *
     * @param table of the run
     * @param elsewhere why the run may use another database; empty when it uses the cluster's
     */
    AlterableCluster(NodeController nodes, Path records, Reach tables, String table, Optional<String> elsewhere) {
        super(nodes);
        this.file = records.resolve(FILE);
        this.tables = tables;
        this.table = table;
        this.elsewhere = elsewhere;
    }

    /** Finds a table of the cluster. */
    interface Reach {
        /** @throws IOException when it cannot be reached */
        TableSchema table(String name) throws IOException;
    }

    /**
     * The cluster as a drill or a healing uses it: the nodes alone when this tool has not started it, or it has no SQL servers.
     *
     * @param environment where variables that hold secrets are looked up
     * @param run properties of the run, of which only the names of table and fields are used
     */
    public static NodeController of(ControlledCluster cluster, Map<String, String> environment, Properties run) {
        if (!(cluster.nodes() instanceof LocalCluster local)) {
            return cluster.nodes();
        }
        Map<String, Map<String, String>> bindings = local.descriptor().bindings();
        if (!bindings.containsKey(SQL)) {
            return cluster.nodes();
        }
        Properties reach = new Properties();
        reach.putAll(bindings.get(SQL));
        for (String name : List.of("fieldcount", "fieldlength", "fieldnameprefix")) {
            Optional.ofNullable(run.getProperty(name)).ifPresent(value -> reach.setProperty(name, value));
        }
        return new AlterableCluster(
                cluster.nodes(),
                cluster.records(),
                name -> table(reach, name, environment),
                run.getProperty(TABLE, "usertable"),
                elsewhere(bindings, run));
    }

    /** What the descriptor says itself may be in the run, too. */
    static Optional<String> elsewhere(Map<String, Map<String, String>> bindings, Properties run) {
        return DATABASE.stream()
                .filter(name -> run.getProperty(name) != null)
                .filter(name -> bindings.values().stream()
                        .noneMatch(known -> Objects.equals(known.get(name), run.getProperty(name))))
                .findFirst()
                .map(name ->
                        "the run sets " + name + ", so clients may use another table than the cluster's own SQL servers"
                                + " change; leave " + name + " out");
    }

    @Override
    public <C> Optional<C> capability(Class<C> type) {
        return type == Alterable.class ? Optional.of(type.cast(this)) : super.capability(type);
    }

    @Override
    public Optional<String> alterationLacks(Change change) {
        if (elsewhere.isPresent()) {
            return elsewhere;
        }
        try {
            TableSchema schema = tables.table(table);
            Optional<String> lacks = schema.lacks(change);
            if (lacks.isPresent()) {
                return lacks;
            }
            return change.undo().isPresent() && schema.has(change)
                    ? Optional.of(schema.describe(change) + " exists already, and no drill on this cluster has recorded"
                            + " that it added it; drop or rename it")
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.of(e.getMessage());
        }
    }

    @Override
    public void alter(Change change, Duration bound) {
        elsewhere.ifPresent(why -> {
            throw new NodeControlException(change.label() + ": " + why);
        });
        if (!changing.tryLock()) {
            throw new NodeControlException(change.label() + ": another change of the schema is under way");
        }
        try {
            done.remove(change);
            change.undoes().ifPresent(done::remove);
            change.undo().ifPresent(done::remove);
            make(change, bound);
        } catch (IOException e) {
            throw new NodeControlException(change.label() + ": " + e.getMessage(), e);
        } finally {
            changing.unlock();
        }
    }

    private void make(Change change, Duration bound) throws IOException {
        Properties record = recorded();
        TableSchema schema = tables.table(table);
        if (change.undoes().isPresent()
                && !table.equals(record.getProperty(change.undoes().get().label()))) {
            throw new IOException("no drill has added " + schema.describe(change) + ", so it is not dropped");
        }
        if (change.undo().isPresent()) {
            if (record.containsKey(change.label()) || schema.has(change)) {
                throw new IOException(schema.describe(change) + " exists already, and is left as it is");
            }
            record.setProperty(change.label(), table);
            write(record);
        }
        try {
            done.put(change, schema.make(change, bound));
        } catch (AlreadyThereException e) {
            // Somebody else's, which a healing would drop.
            forget(record, change);
            throw e;
        }
        change.undoes().ifPresent(dropped -> forget(record, dropped));
    }

    @Override
    public Sight lookForAlteration(Change change) {
        Duration took = done.get(change);
        if (took == null) {
            return new Sight(false, change.label() + " is not confirmed by the server");
        }
        String confirmed = "the server has confirmed it after " + took.toMillis() + " ms";
        if (change == Change.REORGANISE) {
            return new Sight(true, confirmed);
        }
        try {
            TableSchema schema = tables.table(table);
            boolean there = schema.has(change);
            return new Sight(
                    there == change.undo().isPresent(),
                    schema.describe(change) + (there ? " is there" : " is not there") + "; " + confirmed);
        } catch (IOException e) {
            return new Sight(false, e.getMessage());
        }
    }

    @Override
    public List<String> undoAlterations(Duration bound) {
        List<String> dropped = new ArrayList<>();
        List<String> kept = new ArrayList<>();
        if (!locked(bound)) {
            throw new NodeControlException("a change of the schema is under way still; " + again());
        }
        try {
            Properties record = recorded();
            for (Change added : Change.values()) {
                String of = record.getProperty(added.label());
                if (of == null || added.undo().isEmpty()) {
                    continue;
                }
                try {
                    TableSchema schema = tables.table(of);
                    schema.awaitIdle(bound);
                    if (drop(schema, added, bound)) {
                        dropped.add(schema.describe(added));
                    }
                    forget(record, added);
                } catch (IOException e) {
                    kept.add("the " + added.thing() + " that a drill has added to table " + of + " is not dropped: "
                            + e.getMessage());
                }
            }
        } finally {
            changing.unlock();
        }
        if (!kept.isEmpty()) {
            throw new NodeControlException(String.join("; ", kept) + "; " + again());
        }
        return dropped;
    }

    private boolean locked(Duration bound) {
        try {
            return changing.tryLock(bound.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private String again() {
        return "it stays recorded in " + file
                + ": ycsb cluster heal tries again; or drop it by hand and remove that file";
    }

    /** Without a look before: other nodes may apply it later than the one that is asked, but in order. Whether it was there. */
    private static boolean drop(TableSchema schema, Change added, Duration bound) throws IOException {
        try {
            schema.make(added.undo().orElseThrow(), bound);
            return true;
        } catch (IOException e) {
            if (schema.has(added)) {
                throw e;
            }
            return false;
        }
    }

    private static TableSchema table(Properties reach, String name, Map<String, String> environment)
            throws IOException {
        Properties properties = new Properties();
        properties.putAll(reach);
        properties.setProperty(TABLE, name);
        try {
            for (BindingPlugin binding : BindingPlugin.installed()) {
                Optional<TableSchema> found = binding.table(properties, environment);
                if (found.isPresent()) {
                    return found.get();
                }
            }
        } catch (DBException e) {
            throw new IOException(e.getMessage(), e);
        }
        throw new IOException("the binding jdbc, which changes schemas, is not installed");
    }

    private Properties recorded() {
        Properties record = new Properties();
        if (Files.exists(file)) {
            try {
                InputFile.requireOwn(file);
                try (InputStream in = Files.newInputStream(file)) {
                    record.load(in);
                }
            } catch (IOException | IllegalArgumentException e) {
                throw new NodeControlException(
                        "the record of changed schemas " + file + " cannot be read: " + e.getMessage(), e);
            }
        }
        return record;
    }

    private void forget(Properties record, Change dropped) {
        record.remove(dropped.label());
        NodeIo.run("the record of changed schemas " + file + " cannot be written", () -> {
            if (record.isEmpty()) {
                Files.deleteIfExists(file);
            } else {
                write(record);
            }
        });
    }

    private void write(Properties record) throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        record.store(text, "what drills have added, and to which table");
        AtomicFile.writePrivate(file, text.toByteArray());
    }
}
