package io.ycsbdrill.client.cluster;

import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.base.InputFile;
import io.ycsbdrill.base.TableSchema;
import io.ycsbdrill.base.TableSchema.Change;
import io.ycsbdrill.binding.BindingPlugin;
import io.ycsbdrill.fault.node.Alterable;
import io.ycsbdrill.fault.node.ForwardingController;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.Sight;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import site.ycsb.DBException;

/**
 * A cluster and the schema of the workload's table on it. What is added to the table is recorded, with the properties that reach it,
 * beside the open faults, so that a later process can drop it. Thread-safe.
 */
public final class AlterableCluster extends ForwardingController implements Alterable {
    private static final String FILE = "schema.properties";
    /** The key of what was added; no property of a binding. */
    private static final String ADDED = "ycsb-drill.added.";

    private final Path file;
    private final Reach tables;
    private final Properties run;
    private final Set<Change> done = EnumSet.noneOf(Change.class);

    AlterableCluster(NodeController nodes, Path records, Reach tables, Properties run) {
        super(nodes);
        this.file = records.resolve(FILE);
        this.tables = tables;
        this.run = run;
    }

    /** Finds the table that properties reach. */
    interface Reach {
        /** @throws IOException when they reach none */
        TableSchema table(Properties properties) throws IOException;
    }

    /**
     * The cluster as a drill or a healing uses it.
     *
     * @param environment where variables that hold secrets are looked up
     * @param run properties of the run; those by which the binding {@code jdbc} reaches a cluster of this machine are added
     */
    public static NodeController of(ControlledCluster cluster, Map<String, String> environment, Properties run) {
        Properties reach = new Properties();
        if (cluster.nodes() instanceof LocalCluster local) {
            reach.putAll(local.descriptor().bindings().getOrDefault("jdbc", Map.of()));
        }
        run.stringPropertyNames().stream()
                .filter(AlterableCluster::isOfTable)
                .forEach(name -> reach.setProperty(name, run.getProperty(name)));
        // A later process may have another working directory.
        reach.computeIfPresent(
                "db.passwd.file",
                (name, path) -> Path.of(path.toString()).toAbsolutePath().toString());
        return new AlterableCluster(
                cluster.nodes(), cluster.records(), properties -> table(properties, environment), reach);
    }

    private static boolean isOfTable(String property) {
        return property.startsWith("db.")
                || property.startsWith("jdbc.")
                || List.of("table", "fieldcount", "fieldlength", "fieldnameprefix")
                        .contains(property);
    }

    @Override
    public <C> Optional<C> capability(Class<C> type) {
        return type == Alterable.class ? Optional.of(type.cast(this)) : super.capability(type);
    }

    @Override
    public Optional<String> alterationLacks(Change change) {
        try {
            TableSchema table = table(run);
            if (!table.supports(change)) {
                return Optional.of(engine() + " has no statement for " + change.label());
            }
            boolean foreign = change.undo().isPresent() && !added(recorded()).contains(change) && table.has(change);
            return foreign
                    ? Optional.of(table.describe(change) + " exists already, and no drill on this cluster has recorded"
                            + " that it added it; drop or rename it")
                    : Optional.empty();
        } catch (IOException | NodeControlException e) {
            return Optional.of(e.getMessage());
        }
    }

    @Override
    public synchronized void alter(Change change) {
        Properties record = recorded();
        try {
            TableSchema table = table(change.undoes().isPresent() ? record : run);
            if (change.undoes().isPresent()
                    && !added(record).contains(change.undoes().get())) {
                throw new NodeControlException(
                        change.label() + ": no drill has added " + table.describe(change) + ", so it is not dropped");
            }
            if (change.undo().isPresent()) {
                if (added(record).contains(change) || table.has(change)) {
                    throw new NodeControlException(
                            change.label() + ": " + table.describe(change) + " exists already, and is left as it is");
                }
                Properties with = new Properties();
                with.putAll(run);
                added(record).forEach(earlier -> with.setProperty(ADDED + earlier.label(), ""));
                with.setProperty(ADDED + change.label(), "");
                write(with);
            }
            table.make(change);
            done.add(change);
            change.undoes().ifPresent(dropped -> forget(record, dropped));
        } catch (IOException e) {
            throw new NodeControlException(change.label() + ": " + e.getMessage(), e);
        }
    }

    @Override
    public Sight lookForAlteration(Change change) {
        try {
            boolean confirmed;
            synchronized (this) {
                confirmed = done.contains(change);
            }
            if (!confirmed || change == Change.REORGANISE) {
                return new Sight(
                        confirmed, change.label() + (confirmed ? " is" : " is not") + " confirmed by the server");
            }
            TableSchema table = table(run);
            boolean there = table.has(change);
            return new Sight(
                    there == change.undo().isPresent(),
                    table.describe(change) + (there ? " is there" : " is not there"));
        } catch (IOException e) {
            return new Sight(false, e.getMessage());
        }
    }

    @Override
    public synchronized List<String> undoAlterations() {
        Properties record = recorded();
        List<String> dropped = new ArrayList<>();
        for (Change added : added(record)) {
            String what = added.thing();
            try {
                TableSchema table = table(record);
                what = table.describe(added);
                drop(table, added);
                dropped.add(what);
                forget(record, added);
            } catch (IOException e) {
                throw new NodeControlException(
                        what + " was added by a drill and is not dropped: " + e.getMessage() + "; it stays recorded in "
                                + file + ": ycsb cluster heal tries again; or drop it by hand and remove that file",
                        e);
            }
        }
        return dropped;
    }

    /** Without a look before: a server may still be at work on what a process that was killed has asked for, and then the statement waits. */
    private static void drop(TableSchema table, Change added) throws IOException {
        try {
            table.make(added.undo().orElseThrow());
        } catch (IOException e) {
            if (table.has(added)) {
                throw e;
            }
        }
    }

    private TableSchema table(Properties reach) throws IOException {
        return tables.table(without(reach));
    }

    private static TableSchema table(Properties reach, Map<String, String> environment) throws IOException {
        try {
            for (BindingPlugin binding : BindingPlugin.installed()) {
                Optional<TableSchema> table = binding.table(reach, environment);
                if (table.isPresent()) {
                    return table.get();
                }
            }
        } catch (DBException e) {
            throw new IOException(e.getMessage(), e);
        }
        throw new IOException(
                "schemas are changed by SQL: set db.url, db.user and db.passwd as for the binding jdbc, or"
                        + " use a cluster with SQL servers");
    }

    private static Properties without(Properties record) {
        Properties reach = new Properties();
        record.stringPropertyNames().stream()
                .filter(name -> !name.startsWith(ADDED))
                .forEach(name -> reach.setProperty(name, record.getProperty(name)));
        return reach;
    }

    private static Set<Change> added(Properties record) {
        Set<Change> added = EnumSet.noneOf(Change.class);
        for (Change change : Change.values()) {
            if (record.containsKey(ADDED + change.label())) {
                added.add(change);
            }
        }
        return added;
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
        record.remove(ADDED + dropped.label());
        try {
            if (added(record).isEmpty()) {
                Files.deleteIfExists(file);
            } else {
                write(record);
            }
        } catch (IOException e) {
            throw new NodeControlException("the record of changed schemas " + file + " cannot be written: " + e, e);
        }
    }

    /** It may have a password. */
    private void write(Properties record) throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        record.store(text, "what drills have added to a table");
        AtomicFile.writePrivate(file, text.toByteArray());
    }
}
