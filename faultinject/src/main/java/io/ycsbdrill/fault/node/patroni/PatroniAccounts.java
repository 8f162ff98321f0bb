package io.ycsbdrill.fault.node.patroni;

import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import io.ycsbdrill.fault.node.os.RunAs;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What the first primary is told, so that clients find a database of theirs.
 *
 * @param user whose rights the servers have
 * @param socket folder of the server's socket
 */
record PatroniAccounts(PatroniHome home, RunAs user, Path socket) {
    private static final List<String> STATEMENTS = List.of("CREATE ROLE ycsb LOGIN", "CREATE DATABASE ycsb OWNER ycsb");

    private static final Duration ASKING = Duration.ofSeconds(30);

    /**
     * Makes them, at the server of the port.
     *
     * @throws NodeControlException when the server refuses
     * @throws IOException when it cannot be asked
     */
    void make(int port) throws IOException {
        for (String statement : STATEMENTS) {
            // Variables of the user's are for other servers, and would change which one is asked.
            List<String> command = new ArrayList<>(List.of("env"));
            System.getenv().keySet().stream()
                    .filter(name -> name.startsWith("PG"))
                    .forEach(name -> command.addAll(List.of("-u", name)));
            command.addAll(user.prefix());
            command.addAll(List.of(
                    home.program("psql"),
                    "--no-psqlrc",
                    "--host=" + socket,
                    "--port=" + port,
                    "--username=postgres",
                    "--dbname=postgres",
                    "--command=" + statement));
            ProgramOutput output = ProgramOutput.of(command, home.environment(System.getenv()), ASKING);
            if (output.exit() != 0) {
                throw new NodeControlException("PostgreSQL in " + socket + " does not take \"" + statement + "\": "
                        + output.text().strip());
            }
        }
    }
}
