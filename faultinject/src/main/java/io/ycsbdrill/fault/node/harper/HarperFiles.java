package io.ycsbdrill.fault.node.harper;

import io.ycsbdrill.fault.node.kit.ClusterFiles;
import java.nio.file.Path;

/**
 * The layout of a local cluster's state directory.
 *
 * @param directory the cluster's own
 */
record HarperFiles(Path directory) implements ClusterFiles {

    /** What an initial start removes: configuration, database, its own log. */
    Path data() {
        return directory.resolve(HarperCluster.NODE);
    }

    /** Harper's root path. */
    Path root() {
        return data().resolve("root");
    }

    /** The server's home directory, where it notes the place of its configuration. */
    Path home() {
        return data().resolve("home");
    }

    /** Folder of the component that defines the tables. */
    Path component() {
        return root().resolve("components").resolve("ycsb");
    }

    /** The server's own log. */
    Path log() {
        return root().resolve("log").resolve("hdb.log");
    }

    /** What the server printed. */
    Path output() {
        return output(HarperCluster.NODE);
    }

    Path watchdogOutput() {
        return directory.resolve("log").resolve("watchdog.out");
    }

    /** The administrator's password, for nobody but the owner of the directory. */
    Path password() {
        return directory.resolve("password");
    }

    /** The script that keeps the server on the loopback interface. */
    Path loopback() {
        return directory.resolve("loopback.cjs");
    }

    Path pid() {
        return pid(HarperCluster.NODE);
    }
}
