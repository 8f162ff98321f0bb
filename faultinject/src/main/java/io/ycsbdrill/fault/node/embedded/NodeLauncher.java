package io.ycsbdrill.fault.node.embedded;

import io.ycsbdrill.fault.node.os.DiskShim;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Builds the command line of a node. Stateless. */
final class NodeLauncher {
    /**
     * System property of the JVM that starts nodes: further options of theirs, separated by blanks, such as
     * {@code -XX:TieredStopAtLevel=4} for the optimising compiler.
     */
    private static final String MORE = "ycsbdrill.embedded.jvm";

    /** The quick compiler alone: with the optimising one a node is at its best after a minute, and once more after each restart. */
    private static final List<String> JVM = List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-XX:+ExitOnOutOfMemoryError",
            "-Djava.net.preferIPv4Stack=true",
            "-Djava.awt.headless=true",
            "-DIGNITE_UPDATE_NOTIFIER=false",
            "-DIGNITE_PERFORMANCE_SUGGESTIONS_DISABLED=true",
            "-DIGNITE_NO_SHUTDOWN_HOOK=true",
            "-DIGNITE_NO_ASCII=true",
            "-DIGNITE_QUIET=false");

    /** Packages into which Ignite reaches on Java 17 and newer; those that its documentation names. */
    private static final List<String> OPENED = List.of(
            "java.base/java.io",
            "java.base/java.lang",
            "java.base/java.lang.invoke",
            "java.base/java.lang.reflect",
            "java.base/java.math",
            "java.base/java.net",
            "java.base/java.nio",
            "java.base/java.text",
            "java.base/java.time",
            "java.base/java.util",
            "java.base/java.util.concurrent",
            "java.base/java.util.concurrent.atomic",
            "java.base/java.util.concurrent.locks",
            "java.base/jdk.internal.access",
            "java.base/jdk.internal.misc",
            "java.base/sun.nio.ch",
            "java.base/sun.util.calendar",
            "java.management/com.sun.jmx.mbeanserver",
            "jdk.management/com.sun.management.internal");

    static List<String> command(Path directory, ClusterSettings settings, NodeFiles files, int index) {
        List<String> command = new ArrayList<>();
        command.add(settings.java());
        command.add(settings.marker()); // this and the next are the node's mark
        command.add("-Dycsbdrill.node=" + files.id());
        command.add("-Xms" + settings.heapMegabytes() / 2 + "m");
        command.add("-Xmx" + settings.heapMegabytes() + "m");
        command.add("-XX:MaxDirectMemorySize=" + settings.heapMegabytes() + "m");
        command.addAll(JVM);
        Stream.of(System.getProperty(MORE, "").split(" "))
                .filter(option -> !option.isBlank())
                .forEach(command::add);
        // A log that is mapped is written past the C library.
        DiskShim.of(directory).ifPresent(shim -> command.add("-DIGNITE_WAL_MMAP=false"));
        OPENED.forEach(opened -> command.add("--add-opens=" + opened + "=ALL-UNNAMED"));
        command.add("-cp");
        command.add(settings.classPath());
        command.add(NodeMain.class.getName());
        command.add(directory.toString());
        command.add(Integer.toString(index));
        command.add(Long.toString(System.nanoTime()));
        return command;
    }
}
