package io.ycsbdrill.fault.node.embedded;

import java.nio.file.Path;

/**
 * The files of one node, which are also the only way in which node and controller communicate.
 *
 * @param home the node's directory, whose name is the node's id
 */
record NodeFiles(Path home) {

    String id() {
        return home.getFileName().toString();
    }

    /** Process id of the process that was started last. */
    Path pid() {
        return home.resolve("pid");
    }

    /** What the node reports, one JSON object per line, only ever appended to. */
    Path events() {
        return home.resolve("events.jsonl");
    }

    /** The command for the node: its process id and a word. */
    Path command() {
        return home.resolve("command");
    }

    /** The engine's log, newest lines; the older ones are in {@code node.log.1}. */
    Path log() {
        return home.resolve("node.log.0");
    }

    /** Standard output and error of the JVM. */
    Path console() {
        return home.resolve("console.log");
    }

    /** Everything that an initial start removes. */
    Path data() {
        return home.resolve("data");
    }
}
