package io.ycsbdrill.fault.node.patroni;

import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeIo;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.Upgradable;
import io.ycsbdrill.fault.node.kit.Installations;
import io.ycsbdrill.fault.node.os.DirectoryUsers;
import io.ycsbdrill.fault.node.os.OsProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Moves nodes onto another Patroni, with another minor version of PostgreSQL where the installation has one. Thread-safe as far as
 * callers keep to one operation per node.
 *
 * @param members nodes that are no spare ones: those stay as they are
 * @param patroni the process that this program has started for a node
 * @param server that of the node's PostgreSQL
 */
record PatroniUpgrade(
        Installations installations,
        PatroniFiles files,
        Supplier<List<String>> members,
        Function<String, Optional<OsProcess>> patroni,
        Function<String, Optional<OsProcess>> server)
        implements Upgradable {

    /** The installation from which the node is started. */
    PatroniHome home(String node) {
        return new PatroniHome(installations.of(node));
    }

    @Override
    public List<String> refusals(Path home) {
        PatroniHome next = new PatroniHome(home);
        List<String> nodes = members.get();
        PatroniHome now = home(nodes.get(0));
        List<String> refusals =
                new ArrayList<>(installations.refusals(home, next.missing(), known(next), known(now), nodes));
        if (refusals.isEmpty() && !major(next).equals(major(now))) {
            refusals.add("home: " + home + " has PostgreSQL " + next.serverVersion() + ", and the nodes' data is of "
                    + now.serverVersion() + ": another major version does not read it; give an installation with "
                    + major(now));
        }
        if (refusals.isEmpty()) {
            try {
                Path file = files.configuration(nodes.get(0));
                PatroniOptions.check(
                        next.version(), PatroniConfig.dcs(file, "ttl"), PatroniConfig.dcs(file, "retry_timeout"));
            } catch (NodeControlException e) {
                refusals.add("home: " + e.getMessage() + "; start the cluster with such times");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return refusals;
    }

    private static Optional<String> known(PatroniHome home) {
        return Optional.of(home.version()).filter(version -> version.matches("[0-9.]+"));
    }

    private static String major(PatroniHome home) {
        return home.serverVersion().replaceFirst("\\..*", "");
    }

    @Override
    public Runnable install(String node, Path home) {
        installations.requireOther(node, home);
        Path former = installations.of(node);
        use(node, home);
        return () -> use(node, former);
    }

    private void use(String node, Path home) {
        NodeIo.run("programs of " + node + " cannot be changed", () -> new PatroniHome(home).link(files, node));
        installations.set(node, home);
    }

    /** Patroni is a program of the system's Python, so that what shows is whose modules it has loaded. */
    @Override
    public Sight lookForInstallation(String node, Path home) {
        PatroniHome wanted = new PatroniHome(home);
        Sight postgresql = Installations.look(
                node, server.apply(node), Path.of(wanted.program("postgres")).getParent());
        List<OsProcess> users = DirectoryUsers.running(wanted.modules());
        boolean loaded = patroni.apply(node)
                .filter(own -> users.stream().anyMatch(user -> user.pid() == own.pid()))
                .isPresent();
        return new Sight(
                postgresql.effect() && loaded,
                postgresql.text() + (loaded ? ", and Patroni of " : ", but not Patroni of ") + home);
    }
}
