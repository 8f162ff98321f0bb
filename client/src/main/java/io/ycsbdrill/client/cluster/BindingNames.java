package io.ycsbdrill.client.cluster;

import io.ycsbdrill.base.NearestName;
import io.ycsbdrill.base.Problems;
import io.ycsbdrill.client.ConfigException;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import site.ycsb.DB;

/** The names of bindings as typed, and the classes behind them. */
public final class BindingNames {
    /** Which class {@code native} is depends on the cluster's engine. */
    public static final String NATIVE = "native";

    /** Without an address it uses the embedded cluster. */
    static final String REST = "rest";

    public static final List<String> ALL = List.of(NATIVE, "jdbc", REST, "basic");

    private static final Map<String, String> CLASSES = Map.of(
            "jdbc",
            "io.ycsbdrill.binding.jdbc.JdbcBinding",
            REST,
            "io.ycsbdrill.binding.rest.RestBinding",
            "basic",
            "site.ycsb.BasicDB");

    private static final Map<String, String> NATIVE_CLASSES = Map.of(
            "ndb", "io.ycsbdrill.binding.ndb.NdbBinding",
            "embedded", "io.ycsbdrill.binding.embedded.EmbeddedBinding");

    private BindingNames() {}

    /** The class behind a name other than {@code native}; a name with a dot is a class already. */
    static Optional<String> classOf(String name) {
        return name.contains(".") ? Optional.of(name) : Optional.ofNullable(CLASSES.get(name));
    }

    /** The class behind {@code native} on this engine; empty when the engine has none. */
    static Optional<String> nativeClassOf(String engine) {
        return Optional.ofNullable(NATIVE_CLASSES.get(engine));
    }

    /**
     * The class behind any name, on a cluster of this engine.
     *
     * @throws ConfigException when there is none
     */
    static String classOn(String name, String engine) {
        if (name.equals(NATIVE)) {
            return nativeClassOf(engine)
                    .orElseThrow(() -> new ConfigException("engine " + engine + " has no native binding"));
        }
        return classOf(name).orElseThrow(() -> new ConfigException(unknown(name)));
    }

    /** Adds a problem when the class cannot be used as a binding. */
    static void check(String name, String className, Problems problems) {
        try {
            Class<?> found =
                    Class.forName(className, false, Thread.currentThread().getContextClassLoader());
            if (!DB.class.isAssignableFrom(found)) {
                problems.add("binding " + name + ": " + className + " does not extend site.ycsb.DB");
            } else if (Modifier.isAbstract(found.getModifiers())) {
                problems.add("binding " + name + ": " + className + " is abstract; name a class that extends it");
            } else if (Arrays.stream(found.getConstructors()).noneMatch(c -> c.getParameterCount() == 0)) {
                problems.add("binding " + name + ": " + className + " has no public constructor without arguments");
            }
        } catch (ClassNotFoundException | LinkageError e) {
            String cause = name.equals(className)
                    ? "; give its jar with -cp, or one of " + String.join(", ", ALL) + NearestName.hint(name, ALL)
                    : "; this build does not contain it";
            problems.add("binding " + name + ": class " + className + " is not on the class path" + cause);
        }
    }

    /** What to say about a name that is none of ours. */
    static String unknown(String name) {
        return "unknown binding \"" + name + "\": expected " + String.join(", ", ALL)
                + " or the name of a class that extends site.ycsb.DB" + NearestName.hint(name, ALL);
    }
}
