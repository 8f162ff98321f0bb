package io.ycsbdrill.binding.ndb;

import io.ycsbdrill.binding.ndb.NdbProperties.Replicas;
import io.ycsbdrill.binding.ndb.NdbProperties.Storage;
import io.ycsbdrill.binding.ndb.client.NdbConnection;
import io.ycsbdrill.binding.ndb.client.NdbException;
import io.ycsbdrill.binding.ndb.client.NdbTableShape;
import io.ycsbdrill.binding.ndb.client.TableDefinition;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import site.ycsb.DBException;

/** Makes sure, once per process, that the workload's table exists and that its rows fit. */
record NdbTableSetup(NdbProperties settings, NdbInstallation installation) {
    private static final Logger LOG = LoggerFactory.getLogger(NdbTableSetup.class);

    /** @throws DBException saying what does not fit or why the table could not be made */
    void ensure(NdbConnection connection) throws DBException, NdbException {
        Optional<NdbTableShape> shape = connection.table(settings.database(), settings.table());
        if (shape.isEmpty()) {
            make(connection);
            shape = connection.table(settings.database(), settings.table());
        } else if (settings.storage() == Storage.DISK
                && shape.get().fields().stream().noneMatch(field -> field.disk())) {
            throw new DBException("ndb.storage=disk, but table " + name() + " exists and keeps its fields in memory;"
                    + " drop it, or use another -p table");
        }
        if (shape.isEmpty()) {
            throw new DBException("table " + name() + " was created but cannot be found; is ndb.sql="
                    + settings.sql().orElse("") + " an SQL node of the cluster " + settings.connectString() + "?");
        }
        List<String> problems = TableFit.problems(shape.get(), settings);
        if (!problems.isEmpty()) {
            throw new DBException("table " + name() + " does not fit the workload: " + String.join("; ", problems));
        }
    }

    private void make(NdbConnection connection) throws DBException, NdbException {
        if (!settings.createTable()) {
            throw new DBException("table " + name() + " does not exist, and ndb.table.create=false");
        }
        TableDefinition definition = TableFit.definition(settings);
        List<String> problems = TableFit.problems(definition);
        if (!problems.isEmpty()) {
            throw new DBException(String.join("; ", problems));
        }
        if (settings.sql().isPresent()) {
            makeThroughSql(definition);
        } else if (settings.reads() != Replicas.DEFAULT) {
            throw new DBException("ndb.table.reads needs an SQL node to create table " + name()
                    + ": set ndb.sql=host:port, or create the table yourself");
        } else if (settings.collation().isPresent()) {
            throw new DBException("ndb.table.collation needs an SQL node to create table " + name()
                    + ": set ndb.sql=host:port, or create the table yourself");
        } else if (settings.storage() == Storage.DISK) {
            throw new DBException("ndb.storage=disk needs an SQL node to create table " + name()
                    + ": set ndb.sql=host:port, or create the table yourself");
        } else {
            LOG.warn(
                    "table {} is created through NDB's own dictionary; SQL nodes will not see it (set ndb.sql=host:port for that)",
                    name());
            connection.createTable(settings.database(), definition);
        }
    }

    private void makeThroughSql(TableDefinition definition) throws DBException {
        SqlNode node = SqlNode.of(settings, installation, System.getenv("PATH"))
                .orElseThrow(() -> new DBException("table " + name()
                        + " must be created, but there is no mysql program in "
                        + installation.home().resolve("bin")
                        + " or on the PATH; install it, or create the table yourself: "
                        + String.join("; ", TableSql.table(settings.database(), definition, settings.reads()))));
        try {
            if (definition.tablespace() != null) {
                String existing = node.execute(
                        List.of(TableSql.existingDiskObjects(settings.tablespace(), settings.logfileGroup())));
                if (!existing.contains("TABLESPACE")) {
                    node.execute(TableSql.disk(settings, existing.contains("LOGFILE GROUP")));
                }
            }
            node.execute(TableSql.table(settings.database(), definition, settings.reads()));
        } catch (IOException e) {
            throw new DBException("table " + name() + " cannot be created: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DBException("interrupted while table " + name() + " was being created", e);
        }
    }

    private String name() {
        return settings.database() + "." + settings.table();
    }
}
