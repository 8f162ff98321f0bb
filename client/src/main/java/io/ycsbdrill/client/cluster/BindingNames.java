package io.ycsbdrill.client.cluster;

import io.ycsbdrill.base.NearestName;
import io.ycsbdrill.base.Problems;
import io.ycsbdrill.binding.BindingPlugin;
import io.ycsbdrill.binding.ServerAddresses;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.fault.node.Engine;
import io.ycsbdrill.fault.node.LocalEngine;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import site.ycsb.DB;

/** The names of the installed bindings as typed, and what is behind them. Iterates over the names, for {@code --help}. */
public final class BindingNames implements Iterable<String> {

    /** All names, in the order of the bindings. */
    public static List<String> all() {
        return BindingPlugin.installed().stream()
                .map(BindingPlugin::name)
                .distinct()
                .toList();
    }

    @Override
    public Iterator<String> iterator() {
        return all().iterator();
    }

    /** The engines for which a binding has a class of its own, for {@code --help}. */
    public static final class Engines implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return BindingPlugin.installed().stream()
                    .flatMap(plugin -> plugin.engine().stream())
                    .distinct()
                    .iterator();
        }
    }

    /** The engines that can start clusters on this machine, for completion. */
    public static final class Local implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Engine.installed().stream()
                    .filter(LocalEngine.class::isInstance)
                    .map(Engine::name)
                    .iterator();
        }
    }

    private static Stream<BindingPlugin> named(String name) {
        return BindingPlugin.installed().stream().filter(plugin -> plugin.name().equals(name));
    }

    /** Whether the binding has a class for each engine, so that its cluster must be found before its class. */
    public static boolean dependsOnEngine(String name) {
        return named(name).anyMatch(plugin -> plugin.engine().isPresent());
    }

    /** Whether the binding finds its servers through a cluster and not by properties. */
    public static boolean findsServersItself(String name) {
        return dependsOnEngine(name) && addresses(name).isEmpty();
    }

    /** How properties name the binding's servers; empty when it finds them in another way, or its name is unknown. */
    public static Optional<ServerAddresses> addresses(String name) {
        return named(name).flatMap(plugin -> plugin.addresses().stream()).findFirst();
    }

    /** The class behind a name that does not depend on the engine; a name with a dot is a class already. */
    static Optional<String> classOf(String name) {
        return name.contains(".") ? Optional.of(name) : classFor(name, Optional.empty());
    }

    /** The class of a binding that depends on the engine; empty when there is none for this engine. */
    static Optional<String> classFor(String name, Optional<String> engine) {
        return named(name)
                .filter(plugin -> plugin.engine().equals(engine))
                .map(BindingPlugin::className)
                .findFirst();
    }

    /**
     * The class behind any name, on a cluster of this engine.
     *
     * @throws ConfigException when there is none
     */
    static String classOn(String name, String engine) {
        return classFor(name, Optional.of(engine))
                .or(() -> classOf(name))
                .orElseThrow(() -> new ConfigException(
                        dependsOnEngine(name) ? "engine " + engine + " has no " + name + " binding" : unknown(name)));
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
                    ? "; give its jar with -cp, or one of " + String.join(", ", all()) + NearestName.hint(name, all())
                    : "; this build does not contain it";
            problems.add("binding " + name + ": class " + className + " is not on the class path" + cause);
        }
    }

    /** The message for a name that no binding has. */
    static String unknown(String name) {
        return "unknown binding \"" + name + "\": expected " + String.join(", ", all())
                + " or the name of a class that extends site.ycsb.DB" + NearestName.hint(name, all());
    }
}
