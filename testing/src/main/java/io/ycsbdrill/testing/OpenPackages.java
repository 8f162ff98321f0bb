package io.ycsbdrill.testing;

import io.ycsbdrill.binding.BindingPlugin;
import io.ycsbdrill.client.ConfigException;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Packages of the JDK into which some bindings reach, such as {@code native} on an embedded cluster. */
final class OpenPackages {
    /** For the class of a binding. */
    static void require(String bindingClass) {
        require(plugin -> plugin.className().equals(bindingClass));
    }

    /** For a binding by its name on clusters of an engine, before one is started. */
    static void require(String binding, String engine) {
        require(plugin -> plugin.name().equals(binding)
                && plugin.engine().filter(engine::equals).isPresent());
    }

    /**
     * Checked before a binding is used, which itself would fail late and obscurely.
     *
     * @throws ConfigException with what the JVM of the tests must be given
     */
    private static void require(Predicate<BindingPlugin> used) {
        Module base = Object.class.getModule();
        Module ours = OpenPackages.class.getModule();
        List<BindingPlugin> plugins =
                BindingPlugin.installed().stream().filter(used).toList();
        List<String> needed = plugins.stream()
                .flatMap(plugin -> plugin.openPackages().stream())
                .toList();
        if (needed.stream().anyMatch(name -> !base.isOpen(name, ours))) {
            throw new ConfigException("the binding " + plugins.get(0).name()
                    + plugins.get(0)
                            .engine()
                            .map(engine -> " on engine " + engine)
                            .orElse("") + " needs packages of the JDK opened; give the JVM of"
                    + " your tests (argLine of Surefire and Failsafe, jvmArgs of Gradle's test task) these options: "
                    + needed.stream()
                            .map(name -> "--add-opens=java.base/" + name + "=ALL-UNNAMED")
                            .collect(Collectors.joining(" ")));
        }
    }
}
