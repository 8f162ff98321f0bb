package io.ycsbdrill.client.cli.start;

import io.ycsbdrill.base.Finding;
import io.ycsbdrill.base.Io;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.cluster.ClusterFinder;
import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.fault.inventory.HostedEngine;
import io.ycsbdrill.fault.inventory.Inventory;
import io.ycsbdrill.fault.inventory.InventoryCheck;
import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.Engine;
import io.ycsbdrill.fault.node.LocalEngine;
import io.ycsbdrill.fault.node.declared.DeclaredEngine;
import io.ycsbdrill.fault.schedule.DrillFile;
import io.ycsbdrill.fault.schedule.DrillFileException;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes the files of a first drill: what is not given is asked for on a terminal, and found out where it can be. */
@Command(
        name = "init",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Looks at what is here, and writes the files of a first drill: workload.properties, drill.yaml and, for a"
                        + " cluster on other hosts, inventory.yaml. Overwrites nothing.",
        footer = {
            "",
            "Examples:    ycsb init%n             ycsb init galera --hosts db1,db2,db3 --user dbops%n             ycsb init ./my-engine.yaml --hosts db1,db2,db3",
            "Exit codes:  0 written, 1 a file cannot be written, 2 usage, or a file exists"
        })
public final class InitCommand implements Callable<Integer> {
    private static final String HOST = "[A-Za-z0-9][A-Za-z0-9._-]*";

    private final CommandContext world;
    private final BufferedReader answers;
    /** The engine that a file describes, on other hosts. */
    private Optional<DeclaredEngine> own = Optional.empty();

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "ENGINE",
            completionCandidates = InitNames.Engines.class,
            description =
                    "The database: ${COMPLETION-CANDIDATES}. Default: that of the cluster that is up here, else the one"
                            + " that needs no installation.")
    private String engine;

    @Option(
            names = "--hosts",
            paramLabel = "HOST,...",
            split = ",",
            description =
                    "The hosts of its data nodes, in the order of their ids. Without it the cluster is on this machine.")
    private List<String> hosts = new ArrayList<>();

    @Option(
            names = "--management",
            paramLabel = "HOST",
            description =
                    "The host of its management server, for an engine that has one (default: the first data node's).")
    private String management;

    @Option(
            names = "--sql-hosts",
            paramLabel = "HOST,...",
            split = ",",
            description = "The hosts of its SQL nodes, for an engine that has them beside its data nodes; the doctor"
                    + " checks them.")
    private List<String> sql = new ArrayList<>();

    @Option(
            names = "--client-hosts",
            paramLabel = "HOST,...",
            split = ",",
            description = "Hosts on which clients run (default: this machine).")
    private List<String> clients = new ArrayList<>();

    @Option(
            names = "--transport",
            paramLabel = "NAME",
            completionCandidates = InitNames.Transports.class,
            description = "How hosts are reached: ${COMPLETION-CANDIDATES} (default: ssh).")
    private String transport;

    @Option(names = "--user", paramLabel = "NAME", description = "The user to log in as (default: root).")
    private String user;

    @Option(
            names = "--drill",
            paramLabel = "NAME",
            completionCandidates = ShippedDrills.Names.class,
            description = "The first drill; ycsb drill --list has the names (default: the engine's own first drill).")
    private String drill;

    @Option(names = "--dir", paramLabel = "DIR", description = "Where to write the files (default: here).")
    private Path directory = Path.of("");

    @Spec
    private CommandSpec spec;

    public InitCommand(CommandContext world) {
        this.world = world;
        this.answers = new BufferedReader(new InputStreamReader(world.in(), StandardCharsets.UTF_8));
    }

    @Override
    public Integer call() {
        ask();
        boolean here = hosts.isEmpty();
        List<String> known = here ? localNames() : hostedNames();
        own = here || !DeclaredEngine.isFile(engine)
                ? Optional.empty()
                : Optional.of(new ClusterFinder(world).declared(engine));
        if (own.isEmpty() && !known.contains(engine)) {
            throw new ConfigException("ENGINE " + engine + " is not one of " + String.join(", ", known)
                    + (here ? " on this machine" : " on other hosts")
                    + (here && hostedNames().contains(engine)
                            ? "; where are its servers? --hosts HOST,..."
                            : Engine.hint(engine, known)));
        }
        Stream.concat(Stream.of(hosts, sql, clients).flatMap(List::stream), Stream.of(management, user))
                .filter(name -> name != null && !name.matches(HOST))
                .findFirst()
                .ifPresent(name -> {
                    throw new ConfigException("\"" + name + "\" is no name: letters, digits and . _ - are allowed");
                });
        requirePlaces(here);
        String first = drill == null ? chosen().map(Engine::firstDrill).orElse("node-restart") : drill;
        String text = new ShippedDrills(world).read(first).text();
        StartFiles files = here ? StartFiles.local(text) : StartFiles.hosts(template(), hosts, values(), text);
        Path folder = world.workingDirectory().resolve(directory);
        List<String> present = files.present(folder);
        if (!present.isEmpty()) {
            throw new ConfigException(String.join(" and ", present) + (present.size() == 1 ? " is" : " are") + " in "
                    + folder + " already, and nothing is overwritten; give another directory: --dir DIR");
        }
        Set<String> switches = check(files);
        Optional<Inventory> inventory = files.text(StartFiles.INVENTORY).map(this::inventory);
        // Hosts are looked at first: who stops here has no files yet.
        inventory.ifPresent(listed -> findings(InventoryCheck.of(listed)));
        files.write(folder);
        files.texts().keySet().forEach(name -> world.say("written: " + world.shown(folder.resolve(name))));
        if (here) {
            local(folder, switches);
        } else {
            elsewhere(folder, inventory.isPresent());
        }
        world.out().flush();
        return CommandLine.ExitCode.OK;
    }

    /** What is not given: by the cluster that is up, by the user, by default. */
    private void ask() {
        Optional<String> up =
                world.clusters().all().stream().map(ClusterDescriptor::engine).findFirst();
        up.ifPresent(name -> world.say("found: a cluster of " + name + " is up here"));
        boolean asked = engine == null && hosts.isEmpty() && world.terminal();
        String usual = up.orElseGet(() ->
                world.startedOnDemand().stream().findFirst().map(Engine::name).orElse(""));
        if (asked) {
            String typed =
                    answer("Hosts of the data nodes, separated by commas; nothing: a cluster on this machine", "");
            hosts = typed.isEmpty() ? List.of() : Arrays.asList(typed.split("\\s*[, ]\\s*"));
        }
        if (engine == null) {
            List<String> known = hosts.isEmpty() ? localNames() : hostedNames();
            engine = asked
                    ? answer("Database: " + String.join(", ", known), hosts.isEmpty() ? usual : "")
                    : hosts.isEmpty() ? usual : "";
        }
        if (asked && !hosts.isEmpty()) {
            user = answer("User to log in as, who may signal and start the servers", "root");
        }
    }

    private String answer(String question, String usual) {
        world.err().print(question + (usual.isEmpty() ? "" : " [" + usual + "]") + ": ");
        world.err().flush();
        return Io.get("the answer cannot be read", () -> {
            String line = answers.readLine();
            return line == null || line.isBlank() ? usual : line.strip();
        });
    }

    private String template() {
        return own.isPresent() ? StartFiles.OF_FILE : engine;
    }

    /** An engine of a file has a name and ports, too. */
    private Map<String, String> values() {
        Map<String, String> values = new HashMap<>(Map.of(
                "transport", transport == null ? "ssh" : transport,
                "user", user == null ? "root" : user,
                "management", management == null ? hosts.get(0) : management,
                "sql", StartFiles.entries("sql", sql),
                "clients", StartFiles.entries("load", clients)));
        own.ifPresent(file -> values.putAll(
                StartFiles.ofFile(file, world.workingDirectory().resolve(engine).normalize())));
        return values;
    }

    /** What is typed is written somewhere, or refused. */
    private void requirePlaces(boolean here) {
        CommandLine.ParseResult typed = spec.commandLine().getParseResult();
        Map.of(
                        "--transport", "transport",
                        "--user", "user",
                        "--management", "management",
                        "--sql-hosts", "sql",
                        "--client-hosts", "clients",
                        "--drill", StartFiles.DRILL)
                .forEach((option, value) -> {
                    boolean hasPlace = here ? value.equals(StartFiles.DRILL) : StartFiles.takes(template(), value);
                    if (typed.hasMatchedOption(option) && !hasPlace) {
                        throw new ConfigException(option
                                + (here
                                        ? " is for a cluster on other hosts; name them: --hosts HOST,..."
                                        : " has no place in the files for " + engine
                                                + " on other hosts; leave it out"));
                    }
                });
    }

    /**
     * Nothing is written that a later command would refuse.
     *
     * @return what the drill needs of a cluster on this machine
     */
    private Set<String> check(StartFiles files) {
        try {
            DrillFile file = DrillFile.parse(
                    StartFiles.DRILL, files.text(StartFiles.DRILL).orElseThrow());
            return file.schedule().clusterSwitches();
        } catch (DrillFileException e) {
            throw new ConfigException(e.problems());
        }
    }

    private Inventory inventory(String text) {
        return ConfigException.from(
                "",
                () -> Inventory.parse(
                        StartFiles.INVENTORY,
                        text,
                        world.engines(),
                        new ClusterFinder(world).engineFiles(),
                        new Properties()));
    }

    private void local(Path folder, Set<String> switches) {
        LocalEngine chosen = world.engine(engine).orElseThrow();
        findings(chosen.diagnose(world.engineContext(new Properties())));
        boolean up =
                world.clusters().all().stream().anyMatch(each -> each.engine().equals(engine));
        if (!up && !chosen.startsOnDemand()) {
            next("ycsb cluster up " + engine
                    + switches.stream().sorted().map(needed -> " --" + needed).collect(Collectors.joining()));
        }
        next(drill(folder) + " --plan");
        next(drill(folder) + " --audit");
    }

    private void elsewhere(Path folder, boolean controlled) {
        if (!controlled) {
            next(drill(folder) + " --audit");
            world.say("note: look at the commands in " + world.shown(folder.resolve(StartFiles.DRILL))
                    + " first: they are run as they are");
            return;
        }
        Path inventory = folder.resolve(StartFiles.INVENTORY);
        String command = drill(folder) + " --on " + world.shown(inventory);
        next("ycsb doctor -P " + world.shown(folder.resolve(StartFiles.WORKLOAD)) + " --inventory "
                + world.shown(inventory));
        next(command + " --dry-run");
        next(command + " --audit");
    }

    private void findings(List<Finding> findings) {
        findings.forEach(finding ->
                world.say("found: " + finding.verdict().name().toLowerCase(Locale.ROOT) + "  " + finding.text()));
    }

    private String drill(Path folder) {
        String binding = chosen().map(of -> of.bindings().get(0)).orElse("jdbc");
        return "ycsb drill " + binding + " -P " + world.shown(folder.resolve(StartFiles.WORKLOAD)) + " -D "
                + world.shown(folder.resolve(StartFiles.DRILL));
    }

    /** Empty for a database that no engine of ours knows, which is reached by SQL. */
    private Optional<Engine> chosen() {
        return own.isPresent()
                ? own.map(Engine.class::cast)
                : world.engines().stream()
                        .filter(each -> each.name().equals(engine))
                        .findFirst();
    }

    private void next(String command) {
        world.out().println(command);
    }

    List<String> localNames() {
        return world.localEngines().stream().map(Engine::name).toList();
    }

    /** Those whose nodes an inventory controls, and the databases that are harmed by commands of the user's. */
    List<String> hostedNames() {
        return Stream.concat(
                        world.engines().stream()
                                .filter(HostedEngine.class::isInstance)
                                .map(Engine::name),
                        Stream.of("postgresql"))
                .filter(StartFiles::knows)
                .distinct()
                .sorted()
                .toList();
    }
}
