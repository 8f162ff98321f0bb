package io.ycsbdrill.fault.node.declared;

import io.ycsbdrill.fault.node.kit.ClusterFiles;
import java.nio.file.Path;

/**
 * The layout of a local cluster's state directory.
 *
 * @param directory the cluster's own
 */
record DeclaredFiles(Path directory) implements ClusterFiles {
    /** Its files and its data. */
    Path home(String id) {
        return directory.resolve(id);
    }

    @Override
    public Path data(String id) {
        return home(id).resolve("data");
    }

    /** What a server prints is its log. */
    @Override
    public Path log(String id) {
        return output(id);
    }

    /** The copy of the file that describes the engine: a cluster stays what it was when it was made. */
    Path engine() {
        return directory.resolve("engine.yaml");
    }

    /** Is there as soon as all servers were up once: starts are later ones from then on. */
    Path complete() {
        return directory.resolve("complete");
    }
}
