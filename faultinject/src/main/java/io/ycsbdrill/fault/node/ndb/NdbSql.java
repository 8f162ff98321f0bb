package io.ycsbdrill.fault.node.ndb;

import io.ycsbdrill.base.NdbHome;
import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeIo;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A local cluster's SQL nodes as the injector uses them: each statement by a process of the program {@code mysql}. */
record NdbSql(ClusterDescriptor cluster) {

    /** Whether there is a SQL node, and the program that speaks to it. */
    boolean available() {
        return !ports().isEmpty() && program().isPresent();
    }

    private Optional<Path> program() {
        return new NdbHome(Path.of(cluster.engineState().get("home"))).program("mysql");
    }

    /** Where they listen, in order. */
    List<Integer> ports() {
        String ports = cluster.engineState().getOrDefault("sqlPorts", "");
        return Stream.of(ports.split(","))
                .filter(port -> !port.isEmpty())
                .map(Integer::valueOf)
                .toList();
    }

    /**
     * The rows of the first SQL node's answer, each with its columns.
     *
     * @throws NodeControlException when there is none, it does not answer within the bound, or it refuses
     */
    List<String[]> rows(String statement, Duration bound) {
        if (!available()) {
            throw new NodeControlException("there is no SQL node to ask");
        }
        return NodeIo.get("the SQL node cannot be asked", () -> {
            ProgramOutput output = printed(statement, false, bound);
            if (output.exit() != 0) {
                throw new NodeControlException("the SQL node refused: " + output.firstLine());
            }
            return output.text().lines().map(line -> line.split("\t", -1)).toList();
        });
    }

    /**
     * What the program prints of the first SQL node's answer; of one that is {@link #available}.
     *
     * @param headings whether with the names of the columns
     */
    ProgramOutput printed(String statement, boolean headings, Duration bound) throws IOException {
        // The user has no password, so none is shown on the command line.
        return ProgramOutput.of(
                List.of(
                        program().orElseThrow().toString(),
                        "--no-defaults",
                        "--protocol=TCP",
                        "--host=127.0.0.1",
                        "--port=" + ports().get(0),
                        "--user=ycsb",
                        "--connect-timeout=5",
                        "--batch",
                        headings ? "--column-names" : "--skip-column-names",
                        "--execute=" + statement),
                bound);
    }
}
