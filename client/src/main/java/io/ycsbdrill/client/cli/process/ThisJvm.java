package io.ycsbdrill.client.cli.process;

import io.ycsbdrill.base.Secrets;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What starts this program once more, as it was started itself. Options that are secrets, such as a key store's password, may come from
 * an argument file, so they are passed on by the environment: everybody sees a command line.
 */
public final class ThisJvm {
    private static final String VARIABLE = "YCSB_DRILL_SECRET_OPTIONS";

    private ThisJvm() {}

    /** This JVM's Java with the options that it was started with; class path and class are to follow. A new list each time. */
    public static List<String> command() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options());
        return command;
    }

    /** The options without those that are secrets. */
    public static List<String> options() {
        return arguments().filter(Predicate.not(ThisJvm::isSecret)).toList();
    }

    /** The names of those that are. */
    public static List<String> secretOptions() {
        return arguments()
                .filter(ThisJvm::isSecret)
                .map(option -> option.substring(0, option.indexOf('=')))
                .toList();
    }

    /** What the environment of {@link #command} needs beside this process's own. */
    public static Map<String, String> environment() {
        String secrets = System.getProperties().stringPropertyNames().stream()
                .filter(Secrets::isSecret)
                .map(name -> name + "=" + System.getProperty(name))
                .collect(Collectors.joining("\n"));
        return secrets.isEmpty() ? Map.of() : Map.of(VARIABLE, secrets);
    }

    /** Takes what the starting process has passed on, before anything can ask for it. */
    public static void takeSecrets() {
        String passed = System.getenv(VARIABLE);
        if (passed != null) {
            passed.lines()
                    .map(line -> line.split("=", 2))
                    .filter(pair -> pair.length == 2)
                    .forEach(pair -> System.setProperty(pair[0], pair[1]));
        }
        System.getProperties().stringPropertyNames().forEach(name -> Secrets.know(name, System.getProperty(name)));
    }

    private static Stream<String> arguments() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream();
    }

    private static boolean isSecret(String option) {
        return option.startsWith("-D") && !Secrets.inArgument(option).equals(option);
    }
}
