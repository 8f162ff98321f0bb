package io.ycsbdrill.binding.ndb;

import io.ycsbdrill.binding.ndb.client.NdbClient;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.HashMap;
import java.util.Map;
import site.ycsb.DBException;

/**
 * Loads the NDB API's Java declarations from the user's jar, and with them the package of this binding that calls them; everything else comes
 * from the parent. It also locates the native library, so that {@code java.library.path} need not be set. A JVM lets one class loader
 * only load a native library, once, so the clients are kept for the life of the process: the one place where the binding holds static
 * state besides the shared {@link SharedNdbCluster}.
 */
final class ClientLoader extends URLClassLoader {
    static {
        registerAsParallelCapable();
    }

    private static final String OURS = "io.ycsbdrill.binding.ndb.jtie.";

    private static final Map<NdbInstallation, NdbClient> LOADED = new HashMap<>();

    private final NdbInstallation installation;

    private ClientLoader(NdbInstallation installation, ClassLoader parent) throws MalformedURLException {
        super("ndb-client", new URL[] {installation.jar().toUri().toURL()}, parent);
        this.installation = installation;
    }

    /**
     * The client of an installation, loaded when it is asked for first.
     *
     * @throws DBException when it cannot be loaded, saying what is missing
     */
    static synchronized NdbClient client(NdbInstallation installation) throws DBException {
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
            ClientLoader loader = new ClientLoader(installation, ClientLoader.class.getClassLoader());
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

    /**
     * Loads the client.
     *
     * @throws ReflectiveOperationException when the jar does not have what we need
     * @throws LinkageError when the native library cannot be loaded
     */
    private NdbClient client() throws ReflectiveOperationException {
        try {
            return (NdbClient)
                    loadClass(OURS + "JtieClient").getDeclaredConstructor().newInstance();
        } catch (java.lang.reflect.InvocationTargetException e) {
            if (e.getCause() instanceof LinkageError) {
                throw (LinkageError) e.getCause();
            }
            throw e;
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        boolean ours = name.startsWith(OURS);
        if (!ours && !name.startsWith("com.mysql.ndbjtie.") && !name.startsWith("com.mysql.jtie.")) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded == null) {
                loaded = ours ? define(name) : findClass(name);
            }
            if (resolve) {
                resolveClass(loaded);
            }
            return loaded;
        }
    }

    @Override
    protected String findLibrary(String name) {
        return name.equals("ndbclient")
                ? installation.library().toAbsolutePath().toString()
                : super.findLibrary(name);
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        String file = name.replace('.', '/') + ".class";
        try (InputStream in = getParent().getResourceAsStream(file)) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = in.readAllBytes();
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }
}
