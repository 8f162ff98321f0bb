package io.ycsbdrill.fault.node.galera;

import io.ycsbdrill.base.ProgramTree;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.kit.EngineHomes;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An installation of MariaDB with Galera: packages of a Linux distribution, installed ({@code /}) or only unpacked
 * somewhere. Immutable.
 *
 * @param root the folder that has {@code usr}
 */
public record GaleraHome(Path root) implements EngineHomes.Home {
    /** Where it is looked for. */
    public static final EngineHomes<GaleraHome> PLACES =
            new EngineHomes<>(GaleraEngine.NAME, "Galera", "usr", Optional.of(Path.of("/")), GaleraHome::new);

    private static final List<String> PROVIDER =
            List.of("usr/lib/galera", "usr/lib64/galera-4", "usr/lib64/galera", "usr/lib/galera-4");
    private static final Pattern NUMBER = Pattern.compile("Ver (\\d+\\.\\d+\\.\\d+)");
    private static final List<String> PROGRAMS =
            List.of("mariadbd", "mariadb-install-db", "mariadb", "my_print_defaults", "wsrep_sst_rsync", "rsync");

    /** A program by name, for example {@code mariadbd}. */
    public Optional<Path> program(String name) {
        return ProgramTree.BIN.stream()
                .map(folder -> root.resolve(folder).resolve(name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Galera itself, {@code libgalera_smm.so}. */
    public Optional<Path> provider() {
        return PROVIDER.stream()
                .map(folder -> root.resolve(folder).resolve("libgalera_smm.so"))
                .filter(Files::isRegularFile)
                .findFirst();
    }

    @Override
    public List<String> missing() {
        List<String> missing = new ArrayList<>();
        PROGRAMS.stream().filter(name -> program(name).isEmpty()).forEach(missing::add);
        if (provider().isEmpty()) {
            missing.add("libgalera_smm.so");
        }
        return List.copyOf(missing);
    }

    @Override
    public List<String> about(Map<String, String> environment) {
        return List.of("server: " + version(), "Galera: " + provider().orElseThrow());
    }

    /** The server's version, or why it could not be asked; for {@code doctor}. Runs {@code mariadbd --version}. */
    public String version() {
        try {
            List<String> command = List.of(required("mariadbd"), "--no-defaults", "--version");
            ProgramOutput output = ProgramOutput.of(command, environment(System.getenv()), ProgramTree.ASKING);
            return output.exit() == 0
                    ? output.firstLine()
                    : "mariadbd does not run (exit code " + output.exit() + "): " + output.firstLine();
        } catch (IOException e) {
            return "mariadbd does not run: " + e.getMessage();
        }
    }

    /** As {@link #version}, the number only, such as 10.11.19; empty when it could not be asked. */
    Optional<String> number() {
        Matcher number = NUMBER.matcher(version());
        return number.find() ? Optional.of(number.group(1)) : Optional.empty();
    }

    Path usr() {
        return root.resolve("usr");
    }

    /** The program, which must be there. */
    String required(String name) {
        return program(name)
                .orElseThrow(() -> new NodeControlException(name + " not found in " + root))
                .toString();
    }

    /** What the programs need to find each other and their libraries: variables to add to the given ones. */
    Map<String, String> environment(Map<String, String> given) {
        return ProgramTree.environment(root, given);
    }
}
