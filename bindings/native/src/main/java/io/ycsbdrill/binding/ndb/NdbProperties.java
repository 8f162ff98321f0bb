package io.ycsbdrill.binding.ndb;

import io.ycsbdrill.binding.BindingProperties;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.IntStream;
import site.ycsb.DBException;

/**
 * The binding's properties, checked. {@code docs/ndb-binding.md} explains each.
 *
 * @param home the user's installation, or empty to look in the usual places
 * @param connections how many cluster connections the threads of this process share
 * @param scanBatch rows asked of each partition at a time in a scan; 0 chooses by limit and partitions
 * @param slots through which single data nodes are read
 * @param clientSlots node ids that are free for clients, first and last: {@code 101-112}; empty when the management server is to choose
 * @param readNode the only data node whose copies are read
 * @param collation of the fields of a table that is made, which are then texts
 * @param sql an SQL node as host:port, through which a missing table is made
 */
record NdbProperties(
        String connectString,
        Optional<Path> home,
        String database,
        int connections,
        Duration connectTimeout,
        int scanBatch,
        boolean createTable,
        Replicas reads,
        NodeSlots slots,
        String clientSlots,
        Optional<Integer> readNode,
        Storage storage,
        Optional<String> collation,
        Optional<String> sql,
        String sqlUser,
        String sqlPassword,
        String tablespace,
        String logfileGroup,
        int tablespaceMegabytes,
        int undoMegabytes,
        String table,
        int fieldCount,
        int fieldLength,
        String fieldPrefix) {

    private static final String SERVER = "(\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9._-]+)(:\\d{1,5})?";
    private static final String SERVERS = "(nodeid=\\d+[,;])?" + SERVER + "([,;]" + SERVER + ")*";

    /** Where a table that the binding creates stores its fields. */
    enum Storage {
        MEMORY,
        DISK
    }

    /** Which replicas answer reads of a table that the binding creates. */
    enum Replicas {
        /** Where the SQL node has it. */
        DEFAULT,
        ANY,
        PRIMARY
    }

    /** @throws DBException naming every invalid property */
    static NdbProperties of(Properties properties) throws DBException {
        BindingProperties p = new BindingProperties(properties);
        String slots = p.optionalText(NodeSlots.PROPERTY).orElse("");
        if (!NodeSlots.isValid(slots)) {
            p.problem(
                    NodeSlots.PROPERTY,
                    slots,
                    "node:slot[,node:slot], for example 1:101,2:102; each number once, from 1 to 255");
            slots = "";
        }
        int readNode = p.integer("ndb.read.node", 0, 0, 255);
        NdbProperties settings = new NdbProperties(
                p.requiredText("ndb.connectstring", "the management servers, as host:port[,host:port]"),
                p.optionalText("ndb.home").map(Path::of),
                p.text("ndb.database", "ycsb"),
                p.integer("ndb.connections", 1, 1, 64),
                p.duration(
                        "ndb.connect.timeout", Duration.ofSeconds(60), Duration.ofSeconds(1), Duration.ofMinutes(10)),
                p.integer("ndb.scan.batch", 0, 0, 992),
                p.flag("ndb.table.create", true),
                p.choice("ndb.table.reads", Replicas.DEFAULT),
                new NodeSlots(slots),
                p.optionalText("ndb.client.slots").orElse(""),
                readNode == 0 ? Optional.empty() : Optional.of(readNode),
                p.choice("ndb.storage", Storage.MEMORY),
                p.optionalText("ndb.table.collation"),
                p.optionalText("ndb.sql"),
                p.text("ndb.sql.user", "root"),
                p.optionalText("ndb.sql.password").orElse(""),
                p.text("ndb.tablespace", "ts_ycsb"),
                p.text("ndb.logfilegroup", "lg_ycsb"),
                p.integer("ndb.tablespace.megabytes", 512, 16, 1 << 20),
                p.integer("ndb.undo.megabytes", 128, 16, 1 << 20),
                p.text("table", "usertable"),
                p.integer("fieldcount", 10, 1, 500),
                p.integer("fieldlength", 100, 1, 30_000),
                p.text("fieldnameprefix", "field"));
        // NDB itself takes a string that it cannot read for localhost:1186, which may be another cluster.
        if (!settings.connectString.isEmpty() && !settings.connectString.matches(SERVERS)) {
            p.problem("ndb.connectstring", settings.connectString, "management servers as host:port[,host:port]");
        }
        if (!settings.clientSlots.isEmpty() && !areSlots(settings.clientSlots)) {
            p.problem(
                    "ndb.client.slots",
                    settings.clientSlots,
                    "the first and the last node id, of 1 to 255, for example 101-112");
        }
        identifier(p, "ndb.database", settings.database);
        identifier(p, "table", settings.table);
        identifier(p, "ndb.tablespace", settings.tablespace);
        identifier(p, "ndb.logfilegroup", settings.logfileGroup);
        identifier(p, "fieldnameprefix", settings.fieldPrefix);
        settings.collation.ifPresent(collation -> {
            if (!collation.matches("(utf8mb4|utf8mb3|latin1)_[a-z0-9_]{1,40}")) {
                p.problem(
                        "ndb.table.collation",
                        collation,
                        "a collation of utf8mb4, utf8mb3 or latin1, for example utf8mb4_unicode_ci");
            }
        });
        settings.sql.ifPresent(address -> {
            if (!address.matches("[^:/\\s]+:\\d{1,5}|\\[[0-9A-Fa-f:.]+]:\\d{1,5}")) {
                p.problem("ndb.sql", address, "an SQL node as host:port");
            }
        });
        p.refuseUnusedTimeToLive();
        p.check("ndb.");
        return settings;
    }

    private static boolean areSlots(String text) {
        if (!text.matches("\\d{1,3}-\\d{1,3}")) {
            return false;
        }
        int first = Integer.parseInt(text.substring(0, text.indexOf('-')));
        int last = Integer.parseInt(text.substring(text.indexOf('-') + 1));
        return 1 <= first && first <= last && last <= 255;
    }

    /** The connect string with a node id of its own for each of some clients; without one where the cluster names none, or it has one. */
    String connectString(long client) {
        if (clientSlots.isEmpty() || connectString.startsWith("nodeid=")) {
            return connectString;
        }
        String[] ends = clientSlots.split("-");
        int first = Integer.parseInt(ends[0]);
        int count = Integer.parseInt(ends[1]) - first + 1;
        return "nodeid=" + (first + Math.floorMod(client, count)) + "," + connectString;
    }

    /** The names of the workload's fields, in order. */
    String[] fieldNames() {
        return IntStream.range(0, fieldCount).mapToObj(i -> fieldPrefix + i).toArray(String[]::new);
    }

    private static void identifier(BindingProperties p, String key, String value) {
        if (!value.matches("[A-Za-z0-9_$-]{1,60}")) {
            p.problem(key, value, "a name of at most 60 letters, digits, '_', '$' and '-'");
        }
    }
}
