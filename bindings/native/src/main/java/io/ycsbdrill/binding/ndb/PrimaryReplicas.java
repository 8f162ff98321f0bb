package io.ycsbdrill.binding.ndb;

import io.ycsbdrill.binding.KeyOwners.Owners;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Which data node has the primary replica of each partition of a table, as {@code ndbinfo} says through the SQL node. Stateless. */
final class PrimaryReplicas {
    static Owners of(NdbProperties settings, NdbInstallation installation, String table)
            throws IOException, InterruptedException {
        if (settings.sql().isEmpty()) {
            return Owners.unknown(
                    "only an SQL node tells which data node has the primary replica of a key: set ndb.sql");
        }
        Optional<SqlNode> sql = SqlNode.of(settings, installation, System.getenv("PATH"));
        if (sql.isEmpty()) {
            return Owners.unknown("there is no mysql program to ask ndbinfo with in "
                    + installation.home().resolve("bin") + " or on the PATH");
        }
        String of = " WHERE t.database_name = " + TableSql.text(settings.database()) + " AND t.table_name = "
                + TableSql.text(table);
        String anyReplica = "SELECT 'any' FROM ndbinfo.dictionary_tables t" + of
                + " AND (t.read_backup <> 0 OR t.fully_replicated <> 0)";
        // Every node that has a fragment tells of it; they agree but for the moments of a failure.
        String primaries = "SELECT DISTINCT f.partition_id, f.current_primary FROM ndbinfo.table_fragments f"
                + " JOIN ndbinfo.dictionary_tables t ON t.table_id = f.table_id" + of + " ORDER BY 1, 2";
        return parse(table, sql.get().execute(List.of(anyReplica, primaries)));
    }

    /** Reads rows of partition and node; a partition about which the nodes do not agree has no owner. */
    static Owners parse(String table, String rows) throws IOException {
        if (rows.startsWith("any")) {
            return Owners.unknown("any replica answers reads of table " + table
                    + ", so its keys belong to no node; those of a table made with ndb.table.reads=primary"
                    + " (NDB_TABLE=READ_BACKUP=0) do");
        }
        List<String> nodes = new ArrayList<>();
        for (String row : rows.lines().filter(line -> !line.isBlank()).toList()) {
            String[] cells = row.split("\t");
            if (!Arrays.stream(cells).allMatch(cell -> cell.matches("\\d{1,9}")) || cells.length != 2) {
                throw new IOException("ndbinfo.table_fragments has an unexpected row: " + row);
            }
            int partition = Integer.parseInt(cells[0]);
            if (partition == nodes.size()) {
                nodes.add(cells[1].equals("0") ? "" : cells[1]);
            } else if (partition == nodes.size() - 1) {
                nodes.set(partition, "");
            } else {
                throw new IOException(
                        "ndbinfo.table_fragments does not have partition " + nodes.size() + " of " + table);
            }
        }
        return nodes.isEmpty() ? Owners.unknown("table " + table + " does not exist") : Owners.of(nodes);
    }
}
