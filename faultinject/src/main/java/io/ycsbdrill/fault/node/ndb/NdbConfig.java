package io.ycsbdrill.fault.node.ndb;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.base.NdbHome;
import io.ycsbdrill.fault.node.os.IsolatedNetwork;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** The text of a local cluster's configuration files. */
final class NdbConfig {
    /** Those of clients that ask for one; SQL nodes, and who does not ask, get the ones before. */
    private static final int FIRST_CLIENT_SLOT = 101;

    /** Behind those of clients, at most a hundred. */
    private static final int FIRST_READ_SLOT = 201;

    /** That of {@code ndb_restore}: behind those of readers, of which there are as many as data nodes. */
    static final int RESTORE_SLOT = 211;

    private static final String SPARES = """
        # Spare nodes have no group, and a start of the others need not wait for them.
        StartNoNodegroupTimeout=1000
        """;

    /** The section of a SQL node's option file that has all its settings. */
    static final String SQL_SECTION = "[mysqld]";

    /** {@code config.ini}: small logs and buffers, so that a cluster starts in seconds and fits beside the clients. */
    static String cluster(NdbOptions options, NdbFiles files, int managementPort) {
        String others = IsolatedNetwork.clientAddress(files.directory());
        StringBuilder ini = new StringBuilder(Formatted.of(
                """
            [ndbd default]
            NoOfReplicas=%d
            DataMemory=%s
            DiskPageBufferMemory=%s
            %sSharedGlobalMemory=32M
            MaxNoOfConcurrentOperations=32768
            RedoBuffer=32M
            NumCPUs=1
            AutomaticThreadConfig=0
            MaxNoOfExecutionThreads=2
            # A node that does not answer is declared dead after four of these.
            HeartbeatIntervalDbDb=1500
            TimeBetweenLocalCheckpoints=20
            # Else ordered indexes cannot be made through the NDB dictionary alone (error 4714).
            IndexStatAutoCreate=0
            %s
            [ndb_mgmd]
            NodeId=%d
            HostName=%s
            PortNumber=%d
            DataDir=%s

            """,
                options.replicas(),
                options.dataMemory(),
                options.diskPageBuffer(),
                options.redo().lines(),
                options.spares() > 0 ? SPARES : "",
                NdbFiles.MANAGEMENT_NODE_ID,
                others,
                managementPort,
                files.managementData()));
        for (int node = 1; node <= options.dataNodes() + options.spares(); node++) {
            ini.append(Formatted.of(
                    "[ndbd]\nNodeId=%d\nHostName=%s\nDataDir=%s%s%s\n\n",
                    node,
                    IsolatedNetwork.address(files.directory(), Integer.toString(node)),
                    files.data(node),
                    options.oneGroup() ? "\nLocationDomainId=" + node : "",
                    node > options.dataNodes() ? "\nNodeGroup=" + NdbExpansion.NO_GROUP : ""));
        }
        ini.append(("[api]\nHostName=" + others + "\n\n").repeat(options.sqlNodes()));
        for (int slot = 0; slot < options.apiSlots(); slot++) {
            ini.append("[api]\nNodeId=" + (FIRST_CLIENT_SLOT + slot) + "\nHostName=" + others + "\n\n");
        }
        readSlots(options).forEach((node, slot) -> ini.append(Formatted.of("""
            # Nearest to data node %d, to read its copies; given to who asks for this id only.
            [api]
            NodeId=%d
            HostName=%s
            Dedicated=1
            LocationDomainId=%d

            """, node, slot, others, node)));
        ini.append(Formatted.of("""
            # To put a backup back; given to who asks for this id only.
            [api]
            NodeId=%d
            HostName=%s
            Dedicated=1

            """, RESTORE_SLOT, others));
        return ini.toString();
    }

    /** The API node ids of clients: {@code 101-112}. */
    static String clientSlots(NdbOptions options) {
        return FIRST_CLIENT_SLOT + "-" + (FIRST_CLIENT_SLOT + options.apiSlots() - 1);
    }

    /** For each data node the API node id through which its copies are read; empty when a data node has not all rows. */
    static Map<Integer, Integer> readSlots(NdbOptions options) {
        Map<Integer, Integer> slots = new TreeMap<>();
        for (int node = 1; options.oneGroup() && node <= options.dataNodes(); node++) {
            slots.put(node, FIRST_READ_SLOT + node - 1);
        }
        return slots;
    }

    /** The management server's address. */
    static String connectString(NdbFiles files, int managementPort) {
        return IsolatedNetwork.clientAddress(files.directory()) + ":" + managementPort;
    }

    static String dataOptions(NdbFiles files, int managementPort) {
        return "[mysql_cluster]\nndb-connectstring=" + connectString(files, managementPort) + "\n";
    }

    /**
     * A MySQL server on loopback. {@code skip-name-resolve} keeps {@code root@localhost} to the socket, which lies in a
     * directory that only its owner can enter.
     */
    static String sqlOptions(NdbHome home, NdbFiles files, int sql, int managementPort, int port, boolean asRoot) {
        StringBuilder cnf = new StringBuilder(SQL_SECTION + "\nndbcluster\n");
        if (asRoot) {
            cnf.append("user=root\n");
        }
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("ndb-connectstring", connectString(files, managementPort));
        settings.put("port", port);
        settings.put("bind-address", "127.0.0.1");
        settings.put("skip-name-resolve", "ON");
        settings.put("socket", files.sqlSocket(sql));
        settings.put("datadir", files.sqlData(sql));
        settings.put("pid-file", files.directory().resolve("mysqld" + sql + ".mysqld.pid"));
        settings.put("log-error", files.output("mysqld" + sql));
        settings.put("max-connections", 2000);
        settings.put("loose-mysqlx", "OFF");
        settings.putAll(sqlInstallation(home));
        settings.forEach(
                (name, value) -> cnf.append(name).append('=').append(value).append('\n'));
        return cnf.append("skip-log-bin\n").toString();
    }

    /** The settings by which a MySQL server finds what belongs to its installation. */
    static Map<String, String> sqlInstallation(NdbHome home) {
        Map<String, String> settings = new LinkedHashMap<>();
        // Trees that were moved know neither of these; packages know both by themselves.
        Path share = home.root().resolve("share");
        if (Files.isDirectory(share.resolve("english"))) {
            settings.put("basedir", home.root().toString());
            settings.put("lc-messages-dir", share.toString());
            settings.put("character-sets-dir", share.resolve("charsets").toString());
        }
        return settings;
    }

    /** Run by each SQL node at each start. The user {@code ycsb} can come from loopback only and sees its database only. */
    static String sqlInit() {
        return """
            CREATE DATABASE IF NOT EXISTS ycsb;
            CREATE USER IF NOT EXISTS 'ycsb'@'127.0.0.1' IDENTIFIED BY '';
            GRANT ALL ON ycsb.* TO 'ycsb'@'127.0.0.1';
            GRANT CREATE TABLESPACE, PROCESS ON *.* TO 'ycsb'@'127.0.0.1';
            GRANT SELECT ON ndbinfo.* TO 'ycsb'@'127.0.0.1';
            """;
    }
}
