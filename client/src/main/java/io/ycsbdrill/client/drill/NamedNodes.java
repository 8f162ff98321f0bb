package io.ycsbdrill.client.drill;

import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.cluster.Access;
import io.ycsbdrill.client.run.RunSpec;
import io.ycsbdrill.fault.Demands.Subject;
import io.ycsbdrill.fault.node.NamedServers;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.schedule.DrillFile;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The servers of a database of which no engine is watched, as nodes of a drill whose faults are the user's own commands. */
final class NamedNodes {
    /** What names the servers of any binding. */
    static final String PROPERTY = "drill.servers";

    private static final Pattern MONGODB = Pattern.compile("mongodb://(?:[^@/]*@)?([^/?]+)");

    /**
     * The servers that the binding's properties name; empty when they name none, or when the drill has faults of another kind.
     *
     * @throws ConfigException when a command does not say when its server has recovered: nobody else would
     */
    static Optional<NodeController> of(DrillFile file, Access access, RunSpec.Builder spec) {
        boolean commandsOnly = file.schedule().steps().stream()
                .allMatch(step ->
                        !step.fault().commands().isEmpty() || step.fault().subject() == Subject.NOTHING);
        if (!commandsOnly) {
            return Optional.empty();
        }
        Optional<List<String>> servers = servers(spec.properties());
        if (servers.isEmpty()) {
            return Optional.empty();
        }
        List<String> problems = file.schedule().steps().stream()
                .filter(step -> !step.fault().commands().isEmpty()
                        && step.fault().commands().healed().isEmpty())
                .map(step -> file.file() + ": step " + step.name() + ": healed is missing; of these servers only the"
                        + " addresses are known, and nothing else tells when one has recovered: add heal, and healed, a"
                        + " command that exits with 0 when it has")
                .toList();
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
        try {
            return Optional.of(NamedServers.of(access.binding(), servers.get()));
        } catch (IllegalArgumentException e) {
            throw new ConfigException(e.getMessage() + "; name the servers by " + PROPERTY + "=host:port[,host:port]");
        }
    }

    /**
     * The servers, each as {@code host:port}: those of {@link #PROPERTY}, else of a binding of ours, else as common bindings of others
     * name them; empty when no property does.
     *
     * @throws ConfigException when they cannot be told from its form
     */
    static Optional<List<String>> servers(Properties properties) {
        if (!properties.getProperty(PROPERTY, "").isBlank()) {
            return Optional.of(list(properties.getProperty(PROPERTY), ""));
        }
        return ConfigException.from("", () -> ProxiedServers.addresses(properties)
                .map(servers -> servers.in(properties))
                .or(() -> foreign(properties)));
    }

    /** The servers that YCSB's own bindings of Redis, Cassandra and MongoDB name. */
    private static Optional<List<String>> foreign(Properties properties) {
        if (properties.containsKey("redis.host")) {
            return Optional.of(
                    list(properties.getProperty("redis.host"), properties.getProperty("redis.port", "6379")));
        }
        if (properties.containsKey("hosts")) {
            return Optional.of(list(properties.getProperty("hosts"), properties.getProperty("port", "9042")));
        }
        Matcher mongo = MONGODB.matcher(properties.getProperty("mongodb.url", ""));
        return mongo.lookingAt() ? Optional.of(list(mongo.group(1), "27017")) : Optional.empty();
    }

    private static List<String> list(String servers, String port) {
        return Stream.of(servers.split(","))
                .map(String::strip)
                .map(server -> server.matches(".*:\\d+") || port.isEmpty() ? server : server + ":" + port)
                .toList();
    }
}
