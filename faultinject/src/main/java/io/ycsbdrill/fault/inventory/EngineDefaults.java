package io.ycsbdrill.fault.inventory;

import java.util.List;
import java.util.stream.Stream;

/**
 * How servers of an engine are usually run, for what an inventory does not say. In all texts {@code {node}} is the node's id, and
 * {@code {KEY}} a property in effect.
 *
 * @param pidFile where a server writes its process id; {@value #DATA} in it is the node's data directory
 * @param programs names, one of which is in the command line of each server; one after {@value #NOT} is that of another program of the
 *     engine, which may be the same file by another name
 * @param dataDirectory what is emptied to initialise a node
 * @param dataMark a file or folder that only a data directory of the engine has in it
 * @param start starts a server; it may end at once, or be the server itself
 * @param initialise starts a server that takes no notice of its files; empty when they have to be removed first
 * @param supervisor name of the program that keeps a server running, and belongs to the node: a process of it is the node's when a file
 *     among its arguments, or its environment, names the data directory; empty where there is none
 */
public record EngineDefaults(
        String pidFile,
        List<String> programs,
        String dataDirectory,
        String dataMark,
        List<String> start,
        List<String> initialise,
        String supervisor) {
    /** The place of the data directory that counts for a node. */
    public static final String DATA = "{data_directory}";

    /** Before a program by whose name a server is not called. */
    public static final String NOT = "!";

    /** Those of servers that nothing of their own keeps running. */
    public EngineDefaults(
            String pidFile,
            List<String> programs,
            String dataDirectory,
            String dataMark,
            List<String> start,
            List<String> initialise) {
        this(pidFile, programs, dataDirectory, dataMark, start, initialise, "");
    }

    /** Whether nothing is usual, as of an engine that a file describes. */
    boolean isOfFile() {
        return pidFile.isEmpty();
    }

    /** The same programs with another one for the server. */
    List<String> programsWith(String server) {
        return Stream.concat(Stream.of(server), programs.stream().filter(each -> each.startsWith(NOT)))
                .filter(each -> !each.equals(NOT + server))
                .toList();
    }

    public EngineDefaults {
        programs = List.copyOf(programs);
        start = List.copyOf(start);
        initialise = List.copyOf(initialise);
    }
}
