package io.ycsbdrill.client.group;

import io.ycsbdrill.client.run.RunSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * This machine.
 *
 * @param program the command line of a client's process, whose main class leaves the rest to {@link JoinedClient}; the client's number
 *     is added to it
 * @param workingDirectory of the process
 * @param environment of the process beside this one's
 */
public record LocalPlace(List<String> program, Path workingDirectory, Map<String, String> environment)
        implements ClientPlace {
    public LocalPlace {
        program = List.copyOf(program);
        environment = Map.copyOf(environment);
    }

    @Override
    public String where() {
        return "";
    }

    @Override
    public Process start(RunSpec placed) throws IOException {
        List<String> command = new ArrayList<>(program);
        command.add(placed.part().toString());
        ProcessBuilder client = new ProcessBuilder(command).directory(workingDirectory.toFile());
        client.environment().putAll(environment);
        return client.start();
    }
}
