package io.ycsbdrill.fault.node.os;

import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.base.Secrets;
import io.ycsbdrill.fault.node.NodeControlException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Starts the programs of local clusters and records their pids. Stateless. */
public final class Launcher {

    private Launcher() {}

    /**
     * Starts a program without input in a session of its own, so that a Ctrl-C in the terminal does not reach it and a signal
     * to its group reaches whatever it starts. It runs on the processor cores of this process or, when the same pid file has been
     * used before, on those of the first start.
     *
     * @param directory its working directory
     * @param output receives what it prints, appended
     * @param pidFile replaced when it runs
     * @param programs names of those that it becomes, without which it is not signalled later: of the server, by the last part of its
     *     executable's path or of its argument 0
     * @param environment may change the variables that it inherits, which are those that are no secrets
     * @return the program itself: {@code setsid} and {@code taskset} become it in place
     * @throws IOException when it cannot be run, or its pid cannot be recorded; it does not run then
     */
    public static Process start(
            List<String> command,
            Path directory,
            Path output,
            Path pidFile,
            List<String> programs,
            Consumer<Map<String, String>> environment)
            throws IOException {
        List<String> line = new ArrayList<>();
        program("setsid").ifPresent(line::add);
        line.addAll(Cores.asFirstStarted(pidFile.resolveSibling(pidFile.getFileName() + ".cores")));
        line.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(line)
                .directory(directory.toFile())
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
        // Some servers keep their environment in their data: Ignite as attributes of a node.
        builder.environment().keySet().removeIf(Secrets::isSecret);
        environment.accept(builder.environment());
        Process process = builder.start();
        try {
            AtomicFile.write(pidFile, PidFile.text(process.pid(), programs));
        } catch (IOException | RuntimeException e) {
            end(process, programs, e);
            throw e;
        }
        return process;
    }

    /** Nobody would find a program without a record again: neither who starts it the next time nor who cleans up. */
    private static void end(Process process, List<String> programs, Exception cause) {
        try {
            OsProcess.started(process, programs.toArray(String[]::new)).signalGroup("KILL");
        } catch (NodeControlException e) { // until it is setsid's it leads no group
            cause.addSuppressed(e);
        } finally {
            process.destroyForcibly();
        }
    }

    /**
     * The beginning of the command line of a program that is ended with the thread that starts it; empty where there is no {@code setpriv}.
     * To stand after whatever enters namespaces, which would take it back.
     */
    public static List<String> endingWithItsStarter() {
        return program("setpriv")
                .map(setpriv -> List.of(setpriv, "--pdeathsig", "KILL", "--"))
                .orElse(List.of());
    }

    /** Where a program of the system is. */
    static Optional<String> program(String name) {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Stream.concat(
                        Stream.of("/usr/bin", "/bin", "/usr/sbin", "/sbin"), Stream.of(path.split(File.pathSeparator)))
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst();
    }
}
