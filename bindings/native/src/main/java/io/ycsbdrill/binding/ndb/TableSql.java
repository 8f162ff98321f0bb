package io.ycsbdrill.binding.ndb;

import io.ycsbdrill.binding.ndb.NdbProperties.Replicas;
import io.ycsbdrill.binding.ndb.client.TableDefinition;
import java.util.ArrayList;
import java.util.List;

/** The SQL statements that create a table. Pure; names were checked when the settings were read. */
final class TableSql {
    static List<String> table(String database, TableDefinition definition, Replicas reads) {
        StringBuilder sql = new StringBuilder("CREATE TABLE IF NOT EXISTS ")
                .append(quoted(database))
                .append('.')
                .append(quoted(definition.name()))
                .append(" (")
                .append(quoted(definition.key()))
                .append(" VARBINARY(")
                .append(definition.keyBytes())
                .append(") NOT NULL PRIMARY KEY");
        for (String field : definition.fields()) {
            sql.append(", " + quoted(field) + (definition.collation() == null ? " VARBINARY(" : " VARCHAR(")
                    + definition.fieldLength() + ')'
                    + (definition.collation() == null ? "" : " COLLATE " + definition.collation()));
        }
        sql.append(')');
        if (definition.tablespace() != null) {
            sql.append(" TABLESPACE " + quoted(definition.tablespace()) + " STORAGE DISK");
        }
        if (reads != Replicas.DEFAULT) {
            sql.append(" COMMENT='NDB_TABLE=READ_BACKUP=" + (reads == Replicas.ANY ? 1 : 0) + '\'');
        }
        sql.append(" ENGINE=NDBCLUSTER");
        return List.of("CREATE DATABASE IF NOT EXISTS " + quoted(database), sql.toString());
    }

    /** Prints one line for each of the two that is there: {@code TABLESPACE} and {@code LOGFILE GROUP}. */
    static String existingDiskObjects(String tablespace, String logfileGroup) {
        return "SELECT DISTINCT 'TABLESPACE' FROM information_schema.FILES WHERE TABLESPACE_NAME='" + tablespace
                + "' AND ENGINE='ndbcluster' UNION SELECT DISTINCT 'LOGFILE GROUP' FROM information_schema.FILES"
                + " WHERE LOGFILE_GROUP_NAME='" + logfileGroup + "' AND FILE_TYPE='UNDO LOG'";
    }

    static List<String> disk(NdbProperties settings, boolean logfileGroupExists) {
        List<String> statements = new ArrayList<>();
        if (!logfileGroupExists) {
            statements.add("CREATE LOGFILE GROUP " + quoted(settings.logfileGroup()) + " ADD UNDOFILE '"
                    + settings.logfileGroup() + "_1.undo' INITIAL_SIZE " + settings.undoMegabytes()
                    + "M UNDO_BUFFER_SIZE 8M ENGINE NDBCLUSTER");
        }
        statements.add("CREATE TABLESPACE " + quoted(settings.tablespace()) + " ADD DATAFILE '" + settings.tablespace()
                + "_1.dat' USE LOGFILE GROUP " + quoted(settings.logfileGroup()) + " EXTENT_SIZE 1M INITIAL_SIZE "
                + settings.tablespaceMegabytes() + "M ENGINE NDBCLUSTER");
        return statements;
    }

    /** A text as a literal. */
    static String text(String value) {
        return "'" + value.replace("\\", "\\\\").replace("'", "''") + "'";
    }

    private static String quoted(String name) {
        return '`' + name + '`';
    }
}
