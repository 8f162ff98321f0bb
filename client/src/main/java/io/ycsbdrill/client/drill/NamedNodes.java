package io.ycsbdrill.client.drill;

import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.cluster.Access;
import io.ycsbdrill.client.run.RunSpec;
import io.ycsbdrill.fault.NoFault;
import io.ycsbdrill.fault.RunCommand;
import io.ycsbdrill.fault.node.NamedServers;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.schedule.DrillFile;
import java.util.List;
import java.util.Optional;

/** The servers of a database of which no engine is watched, as nodes of a drill whose faults are the user's own commands. */
final class NamedNodes {
    private NamedNodes() {}

    /**
     * The servers that the binding's properties name; empty when they name none, or when the drill has faults of another kind.
     *
     * @throws ConfigException when a command does not say when its server has recovered: nobody else would
     */
    static Optional<NodeController> of(DrillFile file, Access access, RunSpec.Builder spec) {
        boolean commandsOnly = file.schedule().steps().stream()
                .allMatch(step -> step.fault() instanceof RunCommand || step.fault() instanceof NoFault);
        if (!commandsOnly) {
            return Optional.empty();
        }
        Optional<List<String>> servers = ProxiedServers.named(spec);
        if (servers.isEmpty()) {
            return Optional.empty();
        }
        List<String> problems = file.schedule().steps().stream()
                .filter(step -> step.fault() instanceof RunCommand command
                        && command.healed().isEmpty())
                .map(step -> file.file() + ": step " + step.name() + ": healed is missing; of these servers only the"
                        + " addresses are known, and nothing else tells when one has recovered: add heal, and healed, a"
                        + " command that exits with 0 when it has")
                .toList();
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
        return Optional.of(NamedServers.of(access.binding(), servers.get()));
    }
}
