package io.ycsbdrill.fault.node.patroni;

import io.ycsbdrill.base.Io;
import io.ycsbdrill.base.ProgramTree;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.kit.EngineHomes;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * An installation of PostgreSQL, Patroni and etcd: packages of a Linux distribution, installed ({@code /}) or only unpacked
 * somewhere. Patroni runs on the system's Python. Immutable.
 *
 * @param root the folder that has {@code usr}
 */
public record PatroniHome(Path root) implements EngineHomes.Home {
    /** Where it is looked for. */
    public static final EngineHomes<PatroniHome> PLACES =
            new EngineHomes<>(PatroniEngine.NAME, "Patroni", "usr", Optional.of(Path.of("/")), PatroniHome::new);

    /** What Patroni runs on. */
    static final Path PYTHON = Path.of("/usr/bin/python3");

    private static final Pattern VERSION = Pattern.compile("__version__ *= *'([0-9.]+)'");
    private static final Pattern POSTGRESQL = Pattern.compile("PostgreSQL\\) (\\d+(\\.\\d+)?)");

    @Override
    public List<String> missing() {
        List<String> missing = new ArrayList<>();
        if (!Files.isExecutable(etcd())) {
            missing.add("etcd");
        }
        if (!Files.isRegularFile(patroni().resolve("version.py"))) {
            missing.add("patroni");
        }
        if (postgresql().isEmpty()) {
            missing.add("postgres");
        }
        if (!Files.isExecutable(PYTHON)) {
            missing.add(PYTHON.toString());
        }
        return List.copyOf(missing);
    }

    @Override
    public List<String> about(Map<String, String> environment) {
        return List.of("Patroni " + version() + ", PostgreSQL " + serverVersion());
    }

    Path etcd() {
        return root.resolve("usr/bin/etcd");
    }

    private Path patroni() {
        return modules().resolve("patroni");
    }

    /** The folder of Patroni and what it imports. */
    Path modules() {
        return root.resolve("usr/lib/python3/dist-packages");
    }

    /** The folder of PostgreSQL's programs, of the newest version that is there; empty when there is none. */
    Optional<Path> postgresql() {
        return ProgramTree.newestFirst(root.resolve("usr/lib/postgresql")).stream()
                .map(version -> version.resolve("bin"))
                .filter(bin -> Files.isExecutable(bin.resolve("postgres")))
                .findFirst();
    }

    /** One of PostgreSQL's programs, such as {@code psql}. */
    String program(String name) {
        return postgresql()
                .orElseThrow(() -> new NodeControlException("PostgreSQL not found in " + root))
                .resolve(name)
                .toString();
    }

    /** Makes the folder of PostgreSQL's programs that the node's Patroni uses; where it is there, none is missing for a moment. */
    void link(PatroniFiles files, String node) throws IOException {
        Path folder = Files.createDirectories(files.programs(node));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path next = folder.resolve(
                ".next-" + System.nanoTime()); // one that an end of this program has left is in nobody's way
        Path server = Path.of(program("postgres"));
        for (Path program : Io.list(server.getParent())) {
            if (program.equals(server)) {
                Files.writeString(next, PatroniConfig.server(server, files.written(node)));
                Files.setPosixFilePermissions(next, PosixFilePermissions.fromString("rwxr-xr-x"));
            } else {
                Files.createSymbolicLink(next, program);
            }
            Files.move(next, folder.resolve(program.getFileName()), StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /**
     * The program PgBouncer, of this installation or else of the system.
     *
     * @throws NodeControlException when there is none
     */
    Path pgbouncer() {
        return Stream.of(root, Path.of("/"))
                .map(place -> place.resolve("usr/sbin/pgbouncer"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new NodeControlException("no PgBouncer found in " + root + " or /usr/sbin; let"
                        + " bin/install-patroni make a newer installation (remove that one first), or install your"
                        + " distribution's package pgbouncer"));
    }

    /** Patroni's version, such as 3.0.2; {@code unknown} when it does not say. */
    public String version() {
        Matcher said =
                VERSION.matcher(Io.or("", () -> Files.readString(patroni().resolve("version.py"))));
        return said.find() ? said.group(1) : "unknown";
    }

    /** PostgreSQL's version, or why it could not be asked. Runs {@code postgres --version}. */
    public String serverVersion() {
        try {
            ProgramOutput output = ProgramOutput.of(
                    List.of(program("postgres"), "--version"), environment(System.getenv()), ProgramTree.ASKING);
            Matcher number = POSTGRESQL.matcher(output.firstLine());
            return number.find() ? number.group(1) : "does not run: " + output.firstLine();
        } catch (IOException e) {
            return "does not run: " + e.getMessage();
        }
    }

    /** What the programs need to find each other, their libraries and modules: variables to add to the given ones. */
    Map<String, String> environment(Map<String, String> given) {
        Map<String, String> added = new HashMap<>(ProgramTree.environment(root, given));
        added.put("PYTHONPATH", modules().toString());
        added.put("PYTHONUNBUFFERED", "1");
        return added;
    }
}
