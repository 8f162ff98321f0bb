package io.ycsbdrill.fault.node.kit;

import java.nio.file.Path;

/**
 * What is where in the state directory of a local cluster; what is at the same place for every engine has its place here. Immutable.
 */
public interface ClusterFiles {

    /** The cluster's own. */
    Path directory();

    /** What an initial start of the node empties. */
    Path data(String node);

    /** The node's own log. */
    Path log(String node);

    /** What the program of that name, often a node's, printed. */
    default Path output(String name) {
        return directory().resolve("log").resolve(name + ".out");
    }

    /** Folder of what is there only while programs run. */
    default Path run() {
        return directory().resolve("run");
    }

    /** The pid that was recorded for the program of that name. */
    default Path pid(String name) {
        return run().resolve(name + ".pid");
    }
}
