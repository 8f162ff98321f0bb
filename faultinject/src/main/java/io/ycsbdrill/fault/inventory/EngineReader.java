package io.ycsbdrill.fault.inventory;

import io.ycsbdrill.base.yaml.Section;
import io.ycsbdrill.fault.host.Host;
import io.ycsbdrill.fault.host.Transport;
import io.ycsbdrill.fault.inventory.HostedNode.Role;
import io.ycsbdrill.fault.node.Engine;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads which engine an inventory is of, and what it has to say when that is one of a file. */
final class EngineReader {
    private EngineReader() {}

    /** @param files the engine of a word that names a file; empty for one that does not */
    static Optional<HostedEngine> engine(
            Section file, List<Engine> engines, Function<String, Optional<HostedEngine>> files) {
        List<HostedEngine> named = engines.stream()
                .filter(HostedEngine.class::isInstance)
                .map(HostedEngine.class::cast)
                .filter(each -> !each.defaults().isOfFile())
                .sorted((a, b) -> a.name().compareTo(b.name()))
                .toList();
        String expected = "one of " + named.stream().map(Engine::name).collect(Collectors.joining(", "))
                + ", or a file of your own: ./my-engine.yaml";
        file.require("engine", expected);
        try {
            Optional<String> word = file.text("engine", expected);
            Optional<HostedEngine> own = word.flatMap(files);
            return own.isPresent() || word.isEmpty() ? own : file.choice("engine", named, Engine::name);
        } catch (IllegalArgumentException e) {
            e.getMessage().lines().forEach(line -> file.problem("engine", line));
            return Optional.empty();
        }
    }

    /** An engine that a file describes has nothing that is usual on hosts, and no server that says which node is down. */
    static void requireOfFile(
            Section entry,
            Transport transport,
            Map<NodeAction, NodeCommand> commands,
            Optional<String> pidFile,
            Optional<String> data) {
        if (!transport.ofMachines()) {
            entry.problem("transport", transport.label() + "; expected ssh or local for an engine of a file");
        }
        if (pidFile.orElse("").isEmpty() && !entry.has("pid_file")) {
            entry.missing("pid_file", "where the server writes its process id, which an engine of a file does not say");
        }
        if (data.orElse("").isEmpty() && !entry.has("data_directory")) {
            entry.missing(
                    "data_directory",
                    "where the server has its data, by which its process is known from others of its host: /var/lib/db");
        }
        if (!commands.containsKey(NodeAction.START)) {
            entry.missing("commands", "{start: [systemctl, start, NAME]}, which an engine of a file does not say");
        }
    }

    /** Two nodes with one process would both be down when that is killed. */
    static void requireApart(Section file, List<HostedNode> nodes) {
        Set<String> seen = new HashSet<>();
        nodes.stream().filter(node -> node.role() == Role.DATA).forEach(node -> Stream.of(
                        node.pidFile(), node.dataDirectory())
                .filter(path -> !path.isEmpty() && !seen.add(machine(node.host()) + path))
                .forEach(path -> file.problem(
                        Role.DATA.key(),
                        path + " is of node " + node.id() + " and of another one on " + node.host()
                                + "; expected one of its own for each, as with {node} in it")));
    }

    private static String machine(Host host) {
        return host.transport() == Transport.LOCAL ? "" : host.address() + host.port() + host.sshConfig();
    }
}
