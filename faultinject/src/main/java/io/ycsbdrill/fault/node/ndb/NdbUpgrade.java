package io.ycsbdrill.fault.node.ndb;

import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.base.NdbHome;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeIo;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.Upgradable;
import io.ycsbdrill.fault.node.kit.Installations;
import io.ycsbdrill.fault.node.kit.Reconfiguration;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Moves a local cluster's programs onto another installation: the management server before the first node, then each node as it
 * is restarted. Thread-safe.
 */
record NdbUpgrade(NdbCluster cluster, NdbPrograms programs, NdbFiles files, NdbSettings settings, SqlNodes sql)
        implements Upgradable {
    private static final Pattern VERSION = Pattern.compile("(?:ndb|rondb)-(\\d+\\.\\d+\\.\\d+)");

    @Override
    public List<String> refusals(Path home) {
        List<String> nodes = Stream.concat(cluster.nodes().stream(), sql.nodes().stream())
                .map(NodeInfo::id)
                .toList();
        List<String> missing = new NdbHome(home).missing(!sql.nodes().isEmpty());
        return programs.installations()
                .refusals(
                        home,
                        missing,
                        missing.isEmpty() ? version(home) : Optional.empty(),
                        version(programs.installations().of(name(nodes.get(0)))),
                        nodes.stream().map(this::name).toList());
    }

    private static Optional<String> version(Path home) {
        try {
            Optional<Path> program = new NdbHome(home).program("ndbmtd");
            String said = program.isEmpty()
                    ? ""
                    : ProgramOutput.of(List.of(program.get().toString(), "--version"))
                            .text();
            Matcher version = VERSION.matcher(said);
            return version.find() ? Optional.of(version.group(1)) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private String name(String node) {
        return sql.has(node)
                ? NdbPrograms.sqlName(SqlNodes.number(node))
                : NdbPrograms.nodeName(Integer.parseInt(node));
    }

    @Override
    public Runnable install(String node, Path home) {
        programs.installations().requireOther(name(node), home);
        upgradeManagement(home);
        Runnable options = sql.has(node) ? changeOptions(SqlNodes.number(node), home) : () -> {};
        Runnable installation = programs.installations().set(name(node), home);
        return () -> {
            installation.run();
            options.run();
        };
    }

    /** A management server of the new version serves data nodes of either; one of the old does not know the new ones. */
    private synchronized void upgradeManagement(Path home) {
        if (programs.installations().of(NdbPrograms.MANAGEMENT).equals(home)) {
            return;
        }
        Runnable undo = programs.installations().set(NdbPrograms.MANAGEMENT, home);
        try {
            settings.restartManagement();
        } catch (NodeControlException e) {
            if (!Thread.currentThread().isInterrupted()) {
                undo.run();
                settings.restartManagement();
            }
            throw e;
        }
    }

    private Runnable changeOptions(int number, Path home) {
        Path options = files.sqlOptions(number);
        return NodeIo.get(options + " cannot be changed", () -> {
            String former = Files.readString(options);
            AtomicFile.write(
                    options,
                    Reconfiguration.changed(
                            former, NdbConfig.SQL_SECTION, NdbConfig.sqlInstallation(new NdbHome(home))));
            return () -> restore(options, former);
        });
    }

    private static void restore(Path options, String former) {
        NodeIo.run(options + " cannot be put back", () -> AtomicFile.write(options, former));
    }

    @Override
    public Sight lookForInstallation(String node, Path home) {
        return Installations.look(
                node,
                sql.has(node) ? programs.sql(SqlNodes.number(node)) : programs.worker(Integer.parseInt(node)),
                home);
    }
}
