package io.ycsbdrill.binding;

import io.ycsbdrill.base.Finding;
import io.ycsbdrill.base.HttpServers;
import io.ycsbdrill.base.Services;
import io.ycsbdrill.base.TableSchema;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import site.ycsb.DBException;

/**
 * A binding as commands know it: its name, its class, and what they may ask about its servers without opening it. Found by
 * {@link java.util.ServiceLoader}: a new binding is its module and a line in the services file. Its {@code read} of a missing row
 * returns {@code NOT_FOUND}, so that an empty table is recognised. Implementations are stateless and thread-safe.
 */
public interface BindingPlugin {

    /** The name as typed. Several plug-ins may share it when each is for another engine. */
    String name();

    /** The place in lists of bindings: lower ones come first. */
    int order();

    /** The class to make one of per client thread; extends {@link site.ycsb.DB}. */
    String className();

    /** The engine whose clusters this class reaches; empty when any server that its properties name is reached. */
    default Optional<String> engine() {
        return Optional.empty();
    }

    /** Reads and replaces the servers in the binding's properties; empty when it finds its servers in another way. */
    default Optional<ServerAddresses> addresses() {
        return Optional.empty();
    }

    /**
     * Where and how the servers are managed over HTTP; empty when they are not, or are not of this kind.
     *
     * @param kind of server, by the name that the binding has for it
     * @param environment where the variables that hold secrets are looked up
     * @throws DBException naming every property that is invalid
     */
    default Optional<HttpServers> managed(String kind, Properties properties, Map<String, String> environment)
            throws DBException {
        return Optional.empty();
    }

    /**
     * The schema of the workload's table, where the properties name servers that change it by SQL; empty when they name none. Connects to
     * none yet.
     *
     * @param environment where the variables that hold secrets are looked up
     * @throws DBException naming every property that is invalid
     */
    default Optional<TableSchema> table(Properties properties, Map<String, String> environment) throws DBException {
        return Optional.empty();
    }

    /**
     * What {@code ycsb doctor} says about the servers that the properties name. Changes nothing there.
     *
     * @param environment where the variables that hold secrets are looked up
     */
    default List<Finding> diagnose(Properties properties, Map<String, String> environment) {
        return List.of();
    }

    /** Packages of {@code java.base} that must be open to the class path for the binding to work. */
    default List<String> openPackages() {
        return List.of();
    }

    /** All plug-ins, in their order. */
    static List<BindingPlugin> installed() {
        return Services.installed(BindingPlugin.class).stream()
                .sorted(Comparator.comparingInt(BindingPlugin::order).thenComparing(BindingPlugin::name))
                .toList();
    }
}
