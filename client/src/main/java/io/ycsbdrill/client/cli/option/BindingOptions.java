package io.ycsbdrill.client.cli.option;

import io.ycsbdrill.base.Problems;
import io.ycsbdrill.base.Secrets;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.cluster.BindingNames;
import io.ycsbdrill.client.cluster.ClusterFinder;
import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.client.session.StockNames;
import io.ycsbdrill.client.session.WorkloadFiles;
import io.ycsbdrill.fault.inventory.Inventory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options that name the database and its properties, which load, run, shell and drill share, spelled as in stock YCSB. */
public final class BindingOptions {
    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "BINDING",
            completionCandidates = BindingNames.class,
            description = "${COMPLETION-CANDIDATES}, or the name of a class that extends site.ycsb.DB.")
    private String binding;

    @Option(
            names = "-db",
            paramLabel = "CLASS",
            description = "A class that extends site.ycsb.DB, instead of the binding's own.")
    private String databaseClass;

    @Option(
            names = "-P",
            paramLabel = "FILE",
            description = "Workload file; may be repeated, later files override earlier ones.")
    private List<String> files = new ArrayList<>();

    @Option(names = "-p", paramLabel = "KEY=VALUE", description = "A property; may be repeated, overrides every file.")
    private List<String> assignments = new ArrayList<>();

    @Option(
            names = "--engine",
            paramLabel = "NAME",
            completionCandidates = BindingNames.Engines.class,
            description =
                    "native only: use this engine's cluster (${COMPLETION-CANDIDATES}) instead of looking for one.")
    private String engine;

    @Option(
            names = "--on",
            paramLabel = "INVENTORY",
            description = "An inventory: the hosts of a cluster, of clients, or of both; the same as -p"
                    + " inventory=FILE. See docs/inventory.md.")
    private String inventory;

    @Option(names = "-cp", paramLabel = "PATH", description = "Additional classes and jars, for example of a driver.")
    private List<String> classPath = new ArrayList<>();

    @Option(
            names = "-jvm-args",
            paramLabel = "\"ARGS\"",
            description = "Options for the client's JVM, separated by spaces.")
    private List<String> jvmArguments = new ArrayList<>();

    /** The binding as typed; empty when only {@code -db} or the property {@code db} says what to use. */
    public Optional<String> binding() {
        return Optional.ofNullable(binding)
                .map(name -> name.contains(".") ? StockNames.present(name).orElse(name) : name);
    }

    /** The engine asked for by name. */
    public Optional<String> engine() {
        return Optional.ofNullable(engine);
    }

    /** Short name of the workload: the first file's own name; empty without a file. */
    public Optional<String> workloadName() {
        return files.stream().findFirst().map(WorkloadFiles::shortName);
    }

    /** All properties in effect: files in order, then {@code -p}, then {@code -db} and {@code --on}. Problems are added, not thrown. */
    public Properties properties(CommandContext world, Problems problems) {
        if (!world.launched() && !(classPath.isEmpty() && jvmArguments.isEmpty())) {
            problems.add("-cp and -jvm-args are handled by bin/ycsb; without it give them to java itself");
        }
        Properties effective = new Properties();
        for (String file : files) {
            effective.putAll(WorkloadFiles.read(file, world, problems));
        }
        effective.putAll(assigned(problems));
        if (databaseClass != null) {
            effective.setProperty("db", databaseClass);
        }
        if (inventory != null) {
            effective.setProperty(Inventory.PROPERTY, inventory);
        }
        withInventory(world, effective, problems);
        StockNames.translate(effective).forEach(world::say);
        effective.stringPropertyNames().forEach(name -> Secrets.know(name, effective.getProperty(name)));
        return effective;
    }

    /** What an inventory says about the database counts where nothing else does. */
    private void withInventory(CommandContext world, Properties effective, Problems problems) {
        try {
            new ClusterFinder(world).inventory(effective).ifPresent(listed -> {
                listed.properties().forEach(effective::putIfAbsent);
                String used = effective.getProperty("db", binding().orElse(""));
                listed.engine().reaching(used, listed, effective).forEach(effective::putIfAbsent);
                Path file = world.workingDirectory().resolve(effective.getProperty(Inventory.PROPERTY));
                effective.setProperty(Inventory.PROPERTY, file.normalize().toString());
            });
        } catch (ConfigException e) {
            e.problems().forEach(problems::add);
            effective.remove(Inventory.PROPERTY);
        } catch (IllegalArgumentException e) {
            problems.add(e.getMessage());
            effective.remove(Inventory.PROPERTY);
        }
    }

    /** Only what was given by {@code -p}. */
    public Map<String, String> assigned(Problems problems) {
        return assigned(assignments, problems);
    }

    /** {@code KEY=VALUE} texts as a map; the last one of a key counts. */
    public static Map<String, String> assigned(List<String> assignments, Problems problems) {
        Map<String, String> assigned = new TreeMap<>();
        for (String assignment : assignments) {
            int equals = assignment.indexOf('=');
            if (equals < 1) {
                problems.add("-p \"" + assignment + "\" is not KEY=VALUE");
            } else {
                assigned.put(assignment.substring(0, equals).strip(), assignment.substring(equals + 1));
            }
        }
        return assigned;
    }
}
