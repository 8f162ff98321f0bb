package io.ycsbdrill.client.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.management.UnixOperatingSystemMXBean;
import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.base.Finding;
import io.ycsbdrill.base.Finding.Verdict;
import io.ycsbdrill.base.Io;
import io.ycsbdrill.base.Problems;
import io.ycsbdrill.binding.BindingPlugin;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.cli.option.BindingOptions;
import io.ycsbdrill.client.cli.option.JsonOption;
import io.ycsbdrill.client.cluster.ClusterFinder;
import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.client.cluster.ControlledCluster;
import io.ycsbdrill.client.session.WorkloadFiles;
import io.ycsbdrill.fault.inventory.Inventory;
import io.ycsbdrill.fault.inventory.InventoryCheck;
import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.ClusterDirectory;
import io.ycsbdrill.fault.node.Engine;
import io.ycsbdrill.fault.node.EngineContext;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine;
import io.ycsbdrill.fault.node.NamedServers;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.RemoteCluster;
import io.ycsbdrill.fault.node.os.LocalPorts;
import io.ycsbdrill.fault.node.os.NetworkNamespaces;
import io.ycsbdrill.fault.node.os.OutsideNetworkException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "doctor",
        description = "Says what this machine has, what is missing, and what to do about it. Changes nothing.",
        footer = {"", "Exit code 0 when nothing is \"bad\"; a \"note\" is about what you may not need."})
final class DoctorCommand extends ContextCommand {
    private static final long MEBIBYTE = 1L << 20;
    /** Enough for a local cluster and a thousand client threads. */
    private static final long LEAST_FILES = 4096;

    @Option(
            names = "-P",
            paramLabel = "FILE",
            description = "Workload file; servers that it, or -p, names (db.url, rest.endpoints) are tried, too.")
    private List<String> files = new ArrayList<>();

    @Option(names = "-p", paramLabel = "KEY=VALUE", description = "A property; may be repeated, overrides every file.")
    private List<String> assignments = new ArrayList<>();

    @Option(
            names = "--inventory",
            paramLabel = "FILE",
            description =
                    "Check this inventory only: its hosts, their servers, the cluster and, with -P, the servers' ports.")
    private String inventory;

    @Mixin
    private JsonOption json;

    private final ObjectNode document = JsonNodeFactory.instance.objectNode().put("schema", 1);
    private final ArrayNode findings = document.putArray("findings");
    private boolean bad;

    DoctorCommand(CommandContext world) {
        super(world);
    }

    @Override
    public Integer call() {
        Properties properties = properties();
        if (inventory != null) {
            properties.setProperty(Inventory.PROPERTY, inventory);
            return hosts(properties);
        }
        ok(Version.line() + " in " + System.getProperty("java.home"));
        machine();
        directories();
        report(LocalPorts.diagnose(100)); // more than any local cluster takes
        report(NetworkNamespaces.diagnose());
        engines();
        clusters();
        EngineContext context = world.engineContext(properties);
        List<Engine> engines = Engine.inOrder(world.engines());
        engines.forEach(engine -> engine.diagnose(context).forEach(this::report));
        engines.stream().flatMap(engine -> engine.tools().stream()).distinct().forEach(tool -> tool.diagnose(context)
                .forEach(this::report));
        for (BindingPlugin binding : BindingPlugin.installed()) {
            List<Finding> found = binding.diagnose(properties, world.environment());
            found.forEach(this::report);
            if (found.isEmpty()) {
                servers(binding, properties);
            }
        }
        return ended();
    }

    private int hosts(Properties properties) {
        ClusterFinder finder = new ClusterFinder(world);
        Inventory listed = finder.inventory(properties).orElseThrow();
        InventoryCheck.of(listed).forEach(this::report);
        if (!bad) { // else what is wrong with the hosts has been said
            finder.remote(properties).ifPresent(cluster -> asked(finder, cluster));
        }
        Properties all = ClusterFinder.effective(listed, properties);
        String usual = listed.engine().bindings().get(0);
        for (BindingPlugin binding : BindingPlugin.installed()) {
            boolean tried = servers(binding, all) || binding.addresses().isEmpty();
            if (!tried && binding.name().equals(usual)) {
                report(Finding.note("whether clients here reach the servers was not tried: name them by -P FILE"));
            }
        }
        return ended();
    }

    /** Whether clients reach the servers from here: a firewall may let ssh through, and nothing else. False when none is named. */
    private boolean servers(BindingPlugin binding, Properties properties) {
        List<String> servers;
        try {
            servers = binding.addresses()
                    .filter(named -> named.areIn(properties))
                    .map(named -> named.in(properties))
                    .orElse(List.of());
        } catch (IllegalArgumentException e) {
            report(Finding.note(e.getMessage())); // a database without servers, perhaps
            return true;
        }
        try {
            for (NodeStatus server : NamedServers.of(binding.name(), servers).status()) {
                boolean open = server.state() == NodeStatus.State.STARTED;
                String text = binding.name() + ": the server " + server.detail();
                String next = "; start it, let it listen on more than loopback, or open the port";
                report(open ? Finding.ok(text + " from this machine") : Finding.bad(text + next));
            }
        } catch (IllegalArgumentException e) {
            report(Finding.bad(e.getMessage()));
        }
        return !servers.isEmpty();
    }

    /** As a drill asks it first: hosts that are as listed may still have nodes of other names, or of several clusters. */
    private void asked(ClusterFinder finder, RemoteCluster named) {
        try (ControlledCluster cluster = finder.connect(named)) {
            List<NodeStatus> nodes = cluster.nodes().status();
            boolean all = nodes.stream().allMatch(node -> node.state() == NodeStatus.State.STARTED);
            String states = nodes.stream()
                    .map(node -> node.id() + " " + node.state().name().toLowerCase(Locale.ROOT))
                    .collect(Collectors.joining(", "));
            report(Finding.okIf(all, named.title() + ": " + states));
        } catch (NodeControlException | ConfigException e) {
            report(Finding.bad("the cluster cannot be asked: " + e.getMessage()));
        }
    }

    private int ended() {
        if (json.given()) {
            world.out().println(document.put("bad", bad).toPrettyString());
        }
        world.out().flush();
        return bad ? CommandLine.ExitCode.SOFTWARE : CommandLine.ExitCode.OK;
    }

    private void machine() {
        int cpus = Runtime.getRuntime().availableProcessors();
        report(Finding.okIf(cpus >= 2, cpus + (cpus == 1 ? " cpu; client and cluster share it" : " cpus")));
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
            ok(system.getTotalMemorySize() / MEBIBYTE + " MiB of memory");
            long files = system.getMaxFileDescriptorCount();
            String few = files >= LEAST_FILES ? "" : ", and each connection is one: raise it with ulimit -n";
            report(Finding.okIf(few.isEmpty(), "up to " + files + " open files" + few));
        }
        String os = System.getProperty("os.name");
        boolean linux = os.equals("Linux");
        report(Finding.okIf(linux, os + (linux ? "" : "; faults are tested on Linux only")));
    }

    private void directories() {
        Path state = world.clusters().home("any").getParent();
        if (!Files.isDirectory(state)) { // or a link to one
            Io.or(state, () -> Files.createDirectories(state));
        }
        writable("state directory", state, "set YCSB_DRILL_STATE to a writable directory");
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        writable("temporary directory", temporary, "JDK_JAVA_OPTIONS=-Djava.io.tmpdir=DIR names another");
    }

    private void writable(String what, Path directory, String otherwise) {
        try {
            Files.delete(Files.createTempFile(directory, "doctor", ".tmp"));
            long free = Files.getFileStore(directory).getUsableSpace() / MEBIBYTE;
            report(Finding.okIf(free >= 4096, what + " " + directory + ", " + free + " MiB free"));
        } catch (IOException e) {
            report(Finding.bad(what + " " + directory + " cannot be written: " + FileReason.of(e) + "; " + otherwise));
        }
    }

    private void engines() {
        if (world.startedOnDemand().isEmpty()) {
            report(Finding.bad("this build has no engine that runs without an installation"));
        }
        List<String> names =
                world.localEngines().stream().map(LocalEngine::name).toList();
        ok("engines: " + String.join(", ", names));
    }

    private void clusters() {
        ClusterDirectory directory = world.clusters();
        try {
            if (directory.all().isEmpty()) {
                ok("no cluster is up"
                        + world.startedOnDemand().stream()
                                .findFirst()
                                .map(engine -> "; run " + engine.bindings().get(0) + " starts " + engine.withArticle()
                                        + " one for itself")
                                .orElse(""));
            }
            directory.all().forEach(this::cluster);
        } catch (NodeControlException e) {
            report(Finding.bad(e.getMessage()));
        }
    }

    private void cluster(ClusterDescriptor descriptor) {
        String name = descriptor.engine() + " cluster in " + descriptor.directory();
        try (LocalCluster cluster = new ClusterFinder(world).attach(descriptor)) {
            var nodes = cluster.status();
            long started = nodes.stream()
                    .filter(n -> n.state() == NodeStatus.State.STARTED)
                    .count();
            report(Finding.okIf(
                    started == nodes.size(), name + ": " + started + " of " + nodes.size() + " nodes started"));
            cluster.incomplete().ifPresent(why -> report(Finding.note(name + ": " + why)));
        } catch (OutsideNetworkException e) {
            report(Finding.ok(
                    name + " has a network of its own; look at it: ycsb cluster status " + descriptor.engine()));
        } catch (NodeControlException | ConfigException e) {
            report(Finding.note(name + " is not usable: " + e.getMessage() + "; remove it: ycsb cluster down "
                    + descriptor.engine()));
        }
    }

    private Properties properties() {
        Problems problems = new Problems();
        Properties properties = new Properties();
        files.forEach(file -> properties.putAll(WorkloadFiles.read(file, world, problems)));
        properties.putAll(BindingOptions.assigned(assignments, problems));
        problems.throwIfAny(ConfigException::new);
        return properties;
    }

    private void ok(String text) {
        report(Finding.ok(text));
    }

    private void report(Finding finding) {
        bad |= finding.verdict() == Verdict.BAD;
        String verdict = finding.verdict().name().toLowerCase(Locale.ROOT);
        if (json.given()) {
            findings.addObject().put("verdict", verdict).put("text", finding.text());
        } else {
            world.out().printf("%-4s  %s%n", finding.verdict() == Verdict.DETAIL ? "" : verdict, finding.text());
        }
    }
}
