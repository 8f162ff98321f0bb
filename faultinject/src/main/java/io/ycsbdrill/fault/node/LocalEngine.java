package io.ycsbdrill.fault.node;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** An engine that can start clusters on this machine and attach to those that are up. */
public interface LocalEngine extends Engine {

    /**
     * Whether a command that finds no cluster may start one of this engine for itself and stop it afterwards: it needs no
     * installation. Of several the first in {@link #order} is taken.
     */
    default boolean startsOnDemand() {
        return false;
    }

    /** The name with its article, for messages: {@code an embedded}. */
    default String withArticle() {
        return (name().matches("[aeiou].*") ? "an " : "a ") + name();
    }

    /** What a command says of the cluster that it uses, after the binding's name. */
    default String describe(LocalCluster cluster) {
        return name() + " cluster in " + cluster.descriptor().directory() + ", up since "
                + cluster.descriptor().createdAt();
    }

    /** The options that {@link #up} understands, for {@code --help} and for checking: name, default, meaning. */
    List<Option> options();

    /** The options of {@code cluster up} that every engine has; {@link #up} does not see them. */
    List<Option> COMMON_OPTIONS = List.of(
            new Option(
                    "cores",
                    "",
                    "processor cores that all servers share, 1 to those of the machine; default: all of them"),
            new Option("zones", "", "zones of the data nodes, in turn: a,b,c or a,b,a"));

    /** Its own options and those that every engine has. */
    default List<Option> allOptions() {
        return Stream.concat(options().stream(), COMMON_OPTIONS.stream()).toList();
    }

    /**
     * One option of {@link #up}.
     *
     * @param name as typed after {@code --}, for example {@code data-nodes}
     * @param defaultValue used when it is not given; {@code false} makes it a switch, which is typed without a value
     * @param meaning one line, with unit and range
     */
    record Option(String name, String defaultValue, String meaning) {

        /** Whether it is typed without a value. */
        public boolean isSwitch() {
            return defaultValue.equals("false");
        }
    }

    /**
     * Checks what {@link #up} would be given, without starting anything.
     *
     * @throws IllegalArgumentException naming option, value and range
     */
    void check(Map<String, String> options);

    /**
     * Why a cluster with these options, which {@link #check} has accepted, cannot hold a table, or this machine not the cluster; says
     * what could. Empty when nothing says so.
     *
     * @param properties of the workload that makes the table
     * @param rowBytes of all its rows, fields only, once
     */
    default Optional<String> tooSmall(Map<String, String> options, Properties properties, double rowBytes) {
        return Optional.empty();
    }

    /**
     * Starts a cluster and returns when all of its nodes are started. Its first step is {@link
     * io.ycsbdrill.fault.node.os.Directories#claim}: without it no later command uses the directory, or removes it.
     *
     * @param directory an empty or absent directory that becomes the cluster's own
     * @param options by name; absent ones have their defaults; checked before anything starts
     * @param lifetime whether the nodes end with this process or outlive it
     * @param progress receives one short line per step
     * @throws IllegalArgumentException naming option, value and range
     * @throws NodeControlException when a node does not come up; what was started is stopped again first
     */
    LocalCluster up(Path directory, Map<String, String> options, Lifetime lifetime, Consumer<String> progress);

    /**
     * Attaches to a cluster that {@link #up} started, in this process or another.
     *
     * @throws NodeControlException when nothing of it is left
     */
    LocalCluster attach(ClusterDescriptor descriptor);

    /**
     * Ends what is left of a start in the directory that was cut off, such as by {@code kill -9}, and removes the directory.
     *
     * @param directory as given to {@link #up}; need not be there, and may be empty
     * @throws NodeControlException when processes or files stay, or nothing proves that the directory is ours; then nothing is done
     */
    void removeLeftovers(Path directory);

    /** How long the nodes live. */
    enum Lifetime {
        /** Until this process ends, in whatever way, kill -9 included. */
        OWNED,
        /** Until {@code cluster down}. */
        DETACHED
    }
}
