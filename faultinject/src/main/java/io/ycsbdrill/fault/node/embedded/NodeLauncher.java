package io.ycsbdrill.fault.node.embedded;

import io.ycsbdrill.fault.node.NodeControlException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Starts node processes, each in a session of its own, so that a Ctrl-C in the terminal does not reach them. */
final class NodeLauncher {
    private static final List<String> JVM = List.of(
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

    private NodeLauncher() {}

    static Process launch(Path directory, ClusterSettings settings, int index) {
        NodeFiles files = new NodeFiles(directory.resolve(ClusterSettings.nodeId(index)));
        List<String> command = new ArrayList<>();
        // setsid becomes java in place, so the process keeps its id and its parent.
        findSetsid().ifPresent(command::add);
        command.add(settings.java());
        command.add(settings.marker());
        command.add("-Dycsbdrill.node=" + files.id());
        command.add("-Xms" + settings.heapMegabytes() / 2 + "m");
        command.add("-Xmx" + settings.heapMegabytes() + "m");
        command.add("-XX:MaxDirectMemorySize=" + settings.heapMegabytes() + "m");
        command.addAll(JVM);
        OPENED.forEach(opened -> command.add("--add-opens=" + opened + "=ALL-UNNAMED"));
        command.add("-cp");
        command.add(settings.classPath());
        command.add(NodeMain.class.getName());
        command.add(directory.toString());
        command.add(Integer.toString(index));
        try {
            Files.createDirectories(files.data());
            Files.deleteIfExists(files.command());
            command.add(Long.toString(System.nanoTime()));
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(files.home().toFile())
                    .redirectInput(new File("/dev/null"))
                    .redirectErrorStream(true)
                    .redirectOutput(
                            ProcessBuilder.Redirect.appendTo(files.console().toFile()));
            builder.environment().remove("JAVA_TOOL_OPTIONS");
            Process process = builder.start();
            Path draft = files.pid().resolveSibling("pid.tmp");
            Files.writeString(draft, process.pid() + "\n");
            Files.move(draft, files.pid(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            return process;
        } catch (IOException e) {
            throw new NodeControlException(files.id() + " cannot be started: " + e.getMessage(), e);
        }
    }

    private static Optional<String> findSetsid() {
        return List.of("/usr/bin/setsid", "/bin/setsid").stream()
                .filter(p -> Files.isExecutable(Path.of(p)))
                .findFirst();
    }
}
