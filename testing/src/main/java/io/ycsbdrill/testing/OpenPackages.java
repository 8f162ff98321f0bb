package io.ycsbdrill.testing;

import io.ycsbdrill.client.ConfigException;
import java.util.List;
import java.util.stream.Collectors;

/** Packages of the JDK into which Ignite's client, and so the binding {@code native} on an embedded cluster, reaches. */
final class OpenPackages {
    private static final List<String> NEEDED = List.of("java.nio", "java.util", "sun.nio.ch", "java.io");

    private OpenPackages() {}

    /**
     * Checked before a cluster is started, as Ignite itself fails late and obscurely.
     *
     * @throws ConfigException with what the JVM of the tests must be given
     */
    static void require() {
        Module base = Object.class.getModule();
        Module ours = OpenPackages.class.getModule();
        if (NEEDED.stream().anyMatch(name -> !base.isOpen(name, ours))) {
            throw new ConfigException(
                    "the binding native on an embedded cluster needs packages of the JDK opened; give the JVM of"
                            + " your tests (argLine of Surefire and Failsafe, jvmArgs of Gradle's test task) these options: "
                            + NEEDED.stream()
                                    .map(name -> "--add-opens=java.base/" + name + "=ALL-UNNAMED")
                                    .collect(Collectors.joining(" ")));
        }
    }
}
