package io.ycsbdrill.fault.node.ndb;

import io.ycsbdrill.fault.node.kit.ClusterFiles;
import java.nio.file.Path;

/**
 * The layout of a local cluster's state directory. Option files in it name the programs' directories.
 *
 * @param directory the cluster's own
 */
record NdbFiles(Path directory) implements ClusterFiles {
    static final int MANAGEMENT_NODE_ID = 65;

    Path config() {
        return directory.resolve("config.ini");
    }

    Path configCache() {
        return directory.resolve("mgmd-config");
    }

    /** There while the management server is being restarted: by which process. */
    Path managementRestart() {
        return directory.resolve("mgmd-restart");
    }

    Path managementData() {
        return directory.resolve("mgmd");
    }

    /** Lines of every node's log with times, written by the management server. */
    Path clusterLog() {
        return managementData().resolve("ndb_" + MANAGEMENT_NODE_ID + "_cluster.log");
    }

    /** Option file of the data nodes: where the management server is. */
    Path dataOptions() {
        return directory.resolve("ndbmtd.cnf");
    }

    @Override
    public Path data(String node) {
        return data(Integer.parseInt(node));
    }

    Path data(int node) {
        return directory.resolve("node" + node);
    }

    Path fileSystem(int node) {
        return data(node).resolve("ndb_" + node + "_fs");
    }

    /** Where the node puts its part of each backup; an initial start leaves it as it is. */
    Path backups(int node) {
        return data(node).resolve("BACKUP");
    }

    @Override
    public Path log(String node) {
        return nodeLog(Integer.parseInt(node));
    }

    /** The data node's own log. */
    Path nodeLog(int node) {
        return data(node).resolve("ndb_" + node + "_out.log");
    }

    Path sqlOptions(int sql) {
        return directory.resolve("mysqld" + sql + ".cnf");
    }

    Path sqlData(int sql) {
        return directory.resolve("mysqld" + sql);
    }

    Path sqlSocket(int sql) {
        return directory.resolve("sql" + sql + ".sock");
    }

    Path sqlInit(int sql) {
        return directory.resolve("mysqld" + sql + ".sql");
    }
}
