package io.ycsbdrill.binding.ndb;

import io.ycsbdrill.binding.ndb.client.NdbClient;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;

/**
 * Loads the NDB API's Java declarations from the user's jar, and with them the package of this binding that calls them; everything else comes
 * from the parent. It also locates the native library, so that {@code java.library.path} need not be set.
 */
final class ClientLoader extends URLClassLoader {
    static {
        registerAsParallelCapable();
    }

    private static final String OURS = "io.ycsbdrill.binding.ndb.jtie.";

    private final NdbInstallation installation;

    ClientLoader(NdbInstallation installation, ClassLoader parent) throws MalformedURLException {
        super("ndb-client", new URL[] {installation.jar().toUri().toURL()}, parent);
        this.installation = installation;
    }

    /**
     * Loads the client.
     *
     * @throws ReflectiveOperationException when the jar does not have what we need
     * @throws LinkageError when the native library cannot be loaded
     */
    NdbClient client() throws ReflectiveOperationException {
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
