package io.ycsbdrill.fault.node.faunadb;

import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.os.Launcher;
import io.ycsbdrill.fault.node.os.LogTail;
import io.ycsbdrill.fault.node.os.OsProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Starts the nodes of a local cluster and finds their processes again by their pid files. Each node is one JVM. Thread-safe as far
 * as callers keep to one operation per node.
 */
record FaunaDbPrograms(FaunaDbSettings settings, FaunaDbFiles files) {
    /** What its storage reaches by reflection. */
    private static final List<String> OPENED = List.of(
            "java.io",
            "java.lang",
            "java.math",
            "java.net",
            "java.util",
            "java.util.concurrent",
            "java.util.concurrent.atomic",
            "sun.net.www.protocol.http",
            "sun.net.www.protocol.https",
            "sun.nio.ch");

    /** Starts the node and returns its process. */
    Process start(String node) {
        try {
            Files.createDirectories(files.data(node));
            return Launcher.start(
                    command(node),
                    files.node(node),
                    files.output(node),
                    files.pid(node),
                    List.of("java"),
                    environment -> environment.keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS")));
        } catch (IOException e) {
            throw new NodeControlException("cannot start " + node + ": " + e.getMessage(), e);
        }
    }

    private List<String> command(String node) {
        String lib = settings.home().root().resolve("lib").toString();
        List<String> command = new ArrayList<>(List.of(
                settings.java().toString(),
                "-javaagent:" + lib + "/jamm.jar",
                "-Xms256m",
                "-Xmx" + settings.heap().toLowerCase(Locale.ROOT),
                "-Xss512k",
                // Most of a start was compiling; the figures of this build are nobody's anyway.
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Duser.timezone=UTC", // of the stamps in its log
                "-Djava.net.preferIPv4Stack=true",
                "-Dio.netty.allocator.type=unpooled",
                "-Dio.netty.noPreferDirect=true",
                "-DLog4jContextSelector=org.apache.logging.log4j.core.async.AsyncLoggerContextSelector",
                // Nobody is to be waited for at a start: its storage's own membership is not used.
                "-Dcassandra.ring_delay_ms=1",
                "-Dcassandra.skip_wait_for_gossip_to_settle=0"));
        OPENED.forEach(name -> command.addAll(List.of("--add-opens", "java.base/" + name + "=ALL-UNNAMED")));
        command.addAll(List.of(
                "-cp",
                lib + "/*",
                "fauna.core.Service",
                "-c",
                files.configuration(node).toString()));
        return command;
    }

    /** The node's process; empty when it is not running. */
    Optional<OsProcess> process(String node) {
        return OsProcess.recorded(files.pid(node));
    }

    /** The last lines of a node's logs and their paths. */
    String lastWords(String node) {
        return "last lines: " + LogTail.quoted(files.log(node), 3) + "; it printed: "
                + LogTail.quoted(files.output(node), 5);
    }
}
