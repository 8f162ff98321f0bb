package io.ycsbdrill.base;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of a test's own program, in a JVM of its own that is as brief as the test's. */
public final class JavaProgram {
    private JavaProgram() {}

    /** Of a class with a {@code main}, on the test's class path. */
    public static List<String> command(Class<?> main, String... arguments) {
        return command(List.of(), main, arguments);
    }

    /** The same with further options of the JVM. */
    public static List<String> command(List<String> options, Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("-XX:"))
                .forEach(command::add);
        System.getProperties().stringPropertyNames().stream()
                .filter(name -> name.startsWith("ycsbdrill."))
                .forEach(name -> command.add("-D" + name + "=" + System.getProperty(name)));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }
}
