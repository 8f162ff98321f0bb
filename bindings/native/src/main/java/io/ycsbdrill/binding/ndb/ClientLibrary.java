package io.ycsbdrill.binding.ndb;

import io.ycsbdrill.binding.ndb.client.NdbClient;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import site.ycsb.DBException;

/**
 * The client libraries loaded in this process. A JVM lets one class loader only load a native library, once, so they are kept
 * for the life of the process: the one place where the binding holds static state besides the shared {@link NdbCluster}.
 */
final class ClientLibrary {
    private static final Map<NdbInstallation, NdbClient> LOADED = new HashMap<>();

    private ClientLibrary() {}

    /** @throws DBException when it cannot be loaded, saying what is missing */
    static synchronized NdbClient of(NdbInstallation installation) throws DBException {
        NdbClient loaded = LOADED.get(installation);
        if (loaded == null) {
            loaded = load(installation);
            LOADED.put(installation, loaded);
        }
        return loaded;
    }

    private static NdbClient load(NdbInstallation installation) throws DBException {
        try {
            // Not closed: classes are loaded from it as long as the process lives.
            @SuppressWarnings("resource")
            ClientLoader loader = new ClientLoader(installation, ClientLibrary.class.getClassLoader());
            return loader.client();
        } catch (UnsatisfiedLinkError e) {
            throw new DBException(
                    installation.library() + " cannot be loaded: " + e.getMessage()
                            + "; `ldd " + installation.library() + "` shows the libraries that it needs, and the"
                            + " machine's package manager has them (Debian: libssl3, libstdc++6)",
                    e);
        } catch (IOException | ReflectiveOperationException | LinkageError e) {
            throw new DBException(
                    installation.jar() + " does not have the expected NDB API (" + e
                            + "); MySQL NDB Cluster 8.0 and later and RonDB do",
                    e);
        }
    }
}
