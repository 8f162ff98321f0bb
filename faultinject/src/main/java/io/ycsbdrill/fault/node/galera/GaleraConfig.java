package io.ycsbdrill.fault.node.galera;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.fault.host.HostScript;
import io.ycsbdrill.fault.node.kit.ClusterPlan;
import io.ycsbdrill.fault.node.kit.Reconfiguration;
import io.ycsbdrill.fault.node.os.DiskShim;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** Configuration files and scripts of a local cluster. Stateless. */
final class GaleraConfig {
    /** Name of our SST method: rsync's, for servers that run as root. */
    private static final String SST_AS_ROOT = "as_root";

    /** The section of a node's option file that has all its settings. */
    static final String SECTION = "[mariadbd]";

    /** Places of a node's ports: for clients, for the other nodes, for write sets that it missed, for a copy of everything. */
    static final int SQL = 0;

    private static final int GROUP = 1;
    private static final int IST = 2;
    private static final int SST = 3;

    /** How many these are. */
    static final int PORTS = 4;

    /** Writes all of them. */
    static void write(GaleraHome home, ClusterPlan<GaleraOptions> plan) throws IOException {
        GaleraFiles files = new GaleraFiles(plan.directory());
        Files.createDirectories(files.programs());
        for (String node : plan.nodes()) {
            Files.createDirectories(files.data(node));
            Files.createDirectories(files.temporary(node));
            Files.writeString(files.options(node), options(home, files, plan, node));
        }
        Files.writeString(files.script(), HostScript.read(GaleraConfig.class, "node.sh"));
        if (plan.asRoot()) {
            program(files.programs().resolve("rsync"), rsyncAsRoot(home.required("rsync")));
            program(files.programs().resolve("wsrep_sst_" + SST_AS_ROOT), sstAsRoot(files));
        }
    }

    private static void program(Path file, String text) throws IOException {
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    /**
     * The node's option file. Time-outs are short, so that a dead node is evicted after some 3 s and not 5 to 15; the server
     * refuses to run as root unless the file names root.
     */
    private static String options(GaleraHome home, GaleraFiles files, ClusterPlan<GaleraOptions> plan, String node) {
        GaleraOptions options = plan.options();
        String host = plan.address(node);
        String members = plan.nodes().stream()
                .map(each -> plan.address(each) + ":" + plan.port(each, GROUP))
                .collect(Collectors.joining(","));
        String settings = String.join(
                "\n",
                SECTION,
                plan.asRoot() ? "user=root" : "# runs as the user who starts it",
                "datadir=" + files.data(node),
                "tmpdir=" + files.temporary(node),
                "socket=" + files.socket(node),
                "pid-file=" + files.home(node).resolve("server.pid"),
                "log-error=" + files.log(node),
                "bind-address=" + host,
                "port=" + plan.port(node, SQL),
                "skip-name-resolve",
                "performance_schema=OFF",
                "max_connections=2000",
                "default_storage_engine=InnoDB",
                "innodb_buffer_pool_size=" + options.bufferPool(),
                "innodb_log_file_size=96M",
                "innodb_flush_log_at_trx_commit=1",
                // Else pages are written through io_uring, past the C library.
                "innodb_use_native_aio=" + (DiskShim.of(files.directory()).isPresent() ? "OFF" : "ON"),
                "innodb_autoinc_lock_mode=2",
                "binlog_format=ROW",
                "wsrep_on=ON",
                "wsrep_provider_options=\"" + provider(plan, node) + "\"",
                "wsrep_cluster_name=ycsb-drill",
                "wsrep_cluster_address=gcomm://" + members,
                "wsrep_node_name=" + node,
                "wsrep_node_address=" + host + ":" + plan.port(node, GROUP),
                "wsrep_node_incoming_address=" + host + ":" + plan.port(node, SQL),
                "wsrep_sst_method=" + (plan.asRoot() ? SST_AS_ROOT : "rsync"),
                "wsrep_sst_receive_address=" + host + ":" + plan.port(node, SST),
                "wsrep_slave_threads=2",
                "wsrep_sync_wait=" + options.syncWait(),
                "wsrep_status_file=" + files.status(node),
                "");
        return Reconfiguration.changed(settings, SECTION, installation(home));
    }

    /** The settings by which a node finds what belongs to its installation. */
    static Map<String, String> installation(GaleraHome home) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("basedir", home.usr().toString());
        settings.put("plugin-dir", home.usr() + "/lib/mysql/plugin");
        settings.put("lc-messages-dir", home.usr() + "/share/mysql");
        settings.put("character-sets-dir", home.usr() + "/share/mysql/charsets");
        settings.put("wsrep_provider", home.provider().orElseThrow().toString());
        return settings;
    }

    private static String provider(ClusterPlan<GaleraOptions> plan, String node) {
        String host = plan.address(node);
        String ist = host + ":" + plan.port(node, IST);
        return String.join(
                ";",
                "gmcast.listen_addr=tcp://" + host + ":" + plan.port(node, GROUP),
                "ist.recv_addr=" + ist,
                "ist.recv_bind=" + ist,
                "evs.suspect_timeout=PT3S",
                "evs.inactive_timeout=PT6S",
                "evs.install_timeout=PT6S",
                "evs.inactive_check_period=PT0.25S",
                "evs.keepalive_period=PT0.5S",
                // A node that starts before the others waits for them, and does not give up meanwhile.
                "pc.wait_prim_timeout=PT10M",
                "gcache.size=" + plan.options().writeSetCache());
    }

    /**
     * The accounts: ours from this machine only; root by the socket only.
     *
     * @param clients the address of clients
     */
    static String accounts(String clients) {
        return Formatted.of("""
                FLUSH PRIVILEGES;
                DELETE FROM mysql.global_priv WHERE User = 'root' AND Host <> 'localhost';
                FLUSH PRIVILEGES;
                CREATE DATABASE ycsb;
                CREATE USER ycsb@'%1$s';
                GRANT ALL ON ycsb.* TO ycsb@'%1$s';
                """, clients);
    }

    /**
     * An rsync daemon that root starts without a {@code uid} drops to nobody, who may not write the node's files; MariaDB's
     * script names none. This one is found first by {@link #sstAsRoot}.
     */
    private static String rsyncAsRoot(String rsync) {
        return Formatted.of("""
                #!/bin/sh
                case " $* " in *" --daemon "*) exec %1$s --dparam=uid=0 --dparam=gid=0 "$@";; esac
                exec %1$s "$@"
                """, rsync);
    }

    private static String sstAsRoot(GaleraFiles files) {
        return Formatted.of("""
                #!/bin/sh
                PATH=%s:$PATH exec wsrep_sst_rsync "$@"
                """, files.programs());
    }
}
