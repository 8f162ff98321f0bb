package io.ycsbdrill.client.cli;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What starts this program once more, as it was started itself. */
final class ThisJvm {
    private ThisJvm() {}

    /** This JVM's Java with the options that it was started with; class path and class are to follow. A new list each time. */
    static List<String> command() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options());
        return command;
    }

    static List<String> options() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments();
    }
}
