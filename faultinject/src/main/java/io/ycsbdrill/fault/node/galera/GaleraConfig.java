package io.ycsbdrill.fault.node.galera;

import io.ycsbdrill.fault.node.kit.Reconfiguration;
import io.ycsbdrill.fault.node.os.IsolatedNetwork;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Configuration files and scripts of a local cluster. Stateless. */
final class GaleraConfig {
    /** Name of our SST method: rsync's, for servers that run as root. */
    static final String SST_AS_ROOT = "as_root";

    /** The section of a node's option file that has all its settings. */
    static final String SECTION = "[mariadbd]";

    /**
     * Where a node listens, all on its address.
     *
     * @param sql for clients
     * @param group for the other nodes
     * @param ist for the write sets that it missed
     * @param sst for a copy of everything
     */
    record Ports(int sql, int group, int ist, int sst) {}

    private GaleraConfig() {}

    /**
     * The node's option file. Time-outs are short, so that a dead node is evicted after some 3 s and not 5 to 15; the server
     * refuses to run as root unless the file names root.
     */
    static String options(
            GaleraHome home, GaleraFiles files, GaleraOptions options, List<Ports> all, int number, boolean asRoot) {
        String node = GaleraCluster.nodeId(number);
        Ports ports = all.get(number - 1);
        String host = IsolatedNetwork.address(files.directory(), node);
        String members = IntStream.rangeClosed(1, all.size())
                .mapToObj(i -> IsolatedNetwork.address(files.directory(), GaleraCluster.nodeId(i)) + ":"
                        + all.get(i - 1).group())
                .collect(Collectors.joining(","));
        String settings = String.join(
                "\n",
                SECTION,
                asRoot ? "user=root" : "# runs as the user who starts it",
                "datadir=" + files.data(node),
                "tmpdir=" + files.temporary(node),
                "socket=" + files.socket(node),
                "pid-file=" + files.home(node).resolve("server.pid"),
                "log-error=" + files.log(node),
                "bind-address=" + host,
                "port=" + ports.sql(),
                "skip-name-resolve",
                "performance_schema=OFF",
                "max_connections=2000",
                "default_storage_engine=InnoDB",
                "innodb_buffer_pool_size=" + options.bufferPool(),
                "innodb_log_file_size=96M",
                "innodb_flush_log_at_trx_commit=1",
                // Else pages are written through io_uring, past the C library.
                "innodb_use_native_aio=" + (options.disks().on() ? "OFF" : "ON"),
                "innodb_autoinc_lock_mode=2",
                "binlog_format=ROW",
                "wsrep_on=ON",
                "wsrep_provider_options=\"" + provider(options, host, ports) + "\"",
                "wsrep_cluster_name=ycsb-drill",
                "wsrep_cluster_address=gcomm://" + members,
                "wsrep_node_name=" + node,
                "wsrep_node_address=" + host + ":" + ports.group(),
                "wsrep_node_incoming_address=" + host + ":" + ports.sql(),
                "wsrep_sst_method=" + (asRoot ? SST_AS_ROOT : "rsync"),
                "wsrep_sst_receive_address=" + host + ":" + ports.sst(),
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

    private static String provider(GaleraOptions options, String host, Ports ports) {
        return String.join(
                ";",
                "gmcast.listen_addr=tcp://" + host + ":" + ports.group(),
                "ist.recv_addr=" + host + ":" + ports.ist(),
                "ist.recv_bind=" + host + ":" + ports.ist(),
                "evs.suspect_timeout=PT3S",
                "evs.inactive_timeout=PT6S",
                "evs.install_timeout=PT6S",
                "evs.inactive_check_period=PT0.25S",
                "evs.keepalive_period=PT0.5S",
                // A node that starts before the others waits for them, and does not give up meanwhile.
                "pc.wait_prim_timeout=PT10M",
                "gcache.size=" + options.writeSetCache());
    }

    /**
     * The accounts: ours from this machine only; root by the socket only.
     *
     * @param clients the address of clients
     */
    static String accounts(String clients) {
        return """
                FLUSH PRIVILEGES;
                DELETE FROM mysql.global_priv WHERE User = 'root' AND Host <> 'localhost';
                FLUSH PRIVILEGES;
                CREATE DATABASE ycsb;
                CREATE USER ycsb@'%1$s';
                GRANT ALL ON ycsb.* TO ycsb@'%1$s';
                """.formatted(clients);
    }

    static String script() {
        try (InputStream in = GaleraConfig.class.getResourceAsStream("node.sh")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * An rsync daemon that root starts without a {@code uid} drops to nobody, who may not write the node's files; MariaDB's
     * script names none. This one is found first by {@link #sstAsRoot}.
     */
    static String rsyncAsRoot(String rsync) {
        return """
                #!/bin/sh
                case " $* " in *" --daemon "*) exec %1$s --dparam=uid=0 --dparam=gid=0 "$@";; esac
                exec %1$s "$@"
                """.formatted(rsync);
    }

    static String sstAsRoot(GaleraFiles files) {
        return """
                #!/bin/sh
                PATH=%s:$PATH exec wsrep_sst_rsync "$@"
                """.formatted(files.programs());
    }
}
