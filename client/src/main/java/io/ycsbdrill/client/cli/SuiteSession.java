package io.ycsbdrill.client.cli;

import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.base.InputFile;
import io.ycsbdrill.base.Io;
import io.ycsbdrill.base.NearestName;
import io.ycsbdrill.base.Problems;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.cli.option.JsonOption;
import io.ycsbdrill.client.cli.process.Stop;
import io.ycsbdrill.client.cluster.ClusterFinder;
import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.client.run.BuildInfo;
import io.ycsbdrill.experiment.run.ExpectedTime;
import io.ycsbdrill.experiment.run.ExperimentRunner;
import io.ycsbdrill.experiment.run.OwnCluster;
import io.ycsbdrill.experiment.run.PassedOn;
import io.ycsbdrill.experiment.spec.ExperimentFileException;
import io.ycsbdrill.experiment.suite.Suite;
import io.ycsbdrill.experiment.suite.SuiteChoice;
import io.ycsbdrill.experiment.suite.SuiteFile;
import io.ycsbdrill.experiment.suite.SuitePlanFile;
import io.ycsbdrill.fault.inventory.HostedNode.Role;
import io.ycsbdrill.report.experiment.PlanData;
import io.ycsbdrill.report.suite.SuiteData;
import io.ycsbdrill.report.suite.SuiteReport;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * A suite from its file to its exit code: every experiment is an ordinary one in a directory of its own. All are checked before the first
 * is started. Used by one thread, once.
 */
final class SuiteSession {
    private static final String FILE = "suite.yaml";

    private final CommandContext world;
    private final SuiteFile file;
    private final Map<String, String> properties;
    private final Path directory;
    private final boolean begins;
    private final String machines;
    private final List<String> only;
    private final Map<String, ExperimentSession> sessions = new LinkedHashMap<>();

    private SuiteSession(
            CommandContext world,
            SuiteFile file,
            Map<String, String> properties,
            Path directory,
            boolean begins,
            List<String> only) {
        this.world = world;
        this.file = file;
        this.properties = properties;
        this.directory = directory;
        this.begins = begins;
        this.only = only;
        this.machines = machines();
        Suite suite = file.suite();
        for (String id : only) {
            if (!suite.experiments().containsKey(id)) {
                throw new ConfigException("--only " + id + " is not an experiment of the suite"
                        + NearestName.hintOf(id, suite.experiments().keySet()));
            }
        }
        CommandContext begun = world.in(begunIn());
        suite.experiments().forEach((id, experiment) -> {
            Path there = directory.resolve(id);
            if (isChosen(suite, id, only) || only.isEmpty() && PlanData.isIn(there)) {
                sessions.put(
                        id,
                        PlanData.isIn(there)
                                ? ExperimentSession.resumed(world, there)
                                : ExperimentSession.begun(
                                                begun,
                                                "experiment",
                                                suite.name() + " " + id,
                                                experiment.text(),
                                                Optional.empty(),
                                                Optional.of(there))
                                        .on(SuiteReport.banner(suite.engine(), suite.scale(), machines)));
            }
        });
        if (sessions.isEmpty()) {
            throw new ConfigException(leftOut());
        }
    }

    /** Where the suite was begun: in the working directory of the first experiment that was. */
    private Path begunIn() {
        return file.suite().experiments().keySet().stream()
                .map(directory::resolve)
                .filter(PlanData::isIn)
                .findFirst()
                .map(first -> ExperimentSession.resumed(world, first).workingDirectory())
                .orElse(world.workingDirectory());
    }

    /**
     * A new one.
     *
     * @throws ConfigException with everything that is wrong in the file or with the choice
     */
    static SuiteSession begun(
            CommandContext world, Path path, String text, SuiteChoice choice, List<String> only, Optional<Path> out) {
        SuiteFile file = parse(world, path.toString(), text, choice);
        requireSameInAllCells(file.suite(), choice.properties(), only);
        Path directory = OutDirectory.chosen(world, out, file.suite().name(), "suite");
        return new SuiteSession(world, file, choice.properties(), directory, true, only);
    }

    /** Cells of which nothing is claimed take as long as others, and only whoever asks for them looks at them. */
    private static boolean isChosen(Suite suite, String experiment, List<String> only) {
        return only.isEmpty() ? suite.unmeasured(experiment).isEmpty() : only.contains(experiment);
    }

    /** The experiments that are left out though all were chosen, each a sentence. */
    private List<String> leftOut() {
        return file.suite().experiments().keySet().stream()
                .flatMap(id -> file.suite().unmeasured(id).stream()
                        .map(why -> "experiment " + id
                                + " is left out, as nothing that is claimed of it can be measured here (" + why
                                + "); --only " + id + " runs it"))
                .toList();
    }

    /** What the levels of an axis set differs from cell to cell, whatever is typed. */
    private static void requireSameInAllCells(Suite suite, Map<String, String> properties, List<String> only) {
        Problems problems = new Problems();
        suite.experiments().forEach((id, file) -> {
            if (isChosen(suite, id, only)) {
                properties.keySet().stream().sorted().forEach(property -> file.experiment()
                        .axisThatSets(property)
                        .ifPresent(axis -> problems.add("-p " + property + ": the levels of the axis " + axis
                                + " of the experiment " + id + " set it themselves, and it would have no effect there;"
                                + " leave it out, or choose other experiments with --only")));
            }
        });
        problems.throwIfAny(ConfigException::new);
    }

    /**
     * One that was begun before.
     *
     * @throws ConfigException when the directory is none of a suite
     */
    static SuiteSession resumed(CommandContext world, Path directory, List<String> only) {
        try {
            SuiteData begun = SuiteData.read(directory);
            SuiteChoice choice = new SuiteChoice(begun.engine(), begun.scale(), begun.properties());
            Path path = directory.resolve(FILE);
            SuiteFile file = parse(world, path.toString(), InputFile.text(path, InputFile.Kind.SETTINGS), choice);
            // Other experiments may be chosen now than when it was begun.
            requireSameInAllCells(file.suite(), choice.properties(), only);
            return new SuiteSession(world, file, choice.properties(), directory, false, only);
        } catch (IOException e) {
            throw new ConfigException("--resume " + directory + " is not the directory of a suite (" + FileReason.of(e)
                    + "); give one that has " + SuiteData.FILE);
        }
    }

    private static SuiteFile parse(CommandContext world, String name, String text, SuiteChoice choice) {
        try {
            return SuiteFile.parse(name, text, choice, ExperimentWords.of(world));
        } catch (ExperimentFileException e) {
            throw new ConfigException(e.problems());
        }
    }

    /**
     * Does it all.
     *
     * @param json whether {@code suite.json} is printed in place of the tables
     * @return the exit code: 0 when all cells of the chosen experiments were run, 1 when none counts or it was interrupted
     */
    int execute(boolean dryRun, boolean json) {
        JsonOption.requireRun(json, dryRun);
        sessions.values().forEach(ExperimentSession::check);
        if (only.isEmpty()) {
            leftOut().forEach(world::say);
        }
        if (dryRun) {
            world.out().println("expected in all: " + expected(true));
            world.out().flush();
            return 0;
        }
        return ExperimentLock.during(directory, () -> run(json));
    }

    private int run(boolean json) {
        if (begins) {
            write();
        }
        world.say("expected in all: " + expected(false));
        OwnCluster cluster = sessions.values().iterator().next().cluster(directory, true);
        int code = runExperiments(cluster);
        if (code != 0) {
            return code;
        }
        Optional<SuiteReport.Written> written = report();
        written.ifPresent(results -> {
            world.out().print(json ? "" : results.text());
            world.out().flush();
            String reasons = "cells.csv of each experiment has the reasons";
            ExperimentSession.say(world, results.page(), results.nothingJudged(), results.counting(), reasons);
        });
        return written.filter(results -> results.counting() > 0).isPresent()
                        && (!json || JsonOption.print(world, directory.resolve("suite.json")))
                        && !cluster.stopped()
                ? 0
                : 1;
    }

    /** One after the other; the cluster of one is that of the next where both need the same and it is in order. */
    private int runExperiments(OwnCluster cluster) {
        try (Stop stop = Stop.install();
                cluster) {
            // Also of experiments that are not continued now: their commands use the cluster of all.
            Io.run(directory + " cannot be listed", () -> {
                for (Path each : Io.list(directory)) {
                    ExperimentRunner.endLeftovers(each, new ExperimentTool(world), world::say);
                }
            });
            for (ExperimentSession each : sessions.values()) {
                int code = each.run(
                        stop,
                        cluster,
                        "ycsb suite --resume " + directory,
                        complete -> report().isPresent() && complete ? 0 : 1);
                if (code != 0) {
                    return code;
                }
            }
            return 0;
        }
    }

    /** @param show whether the cells of each experiment are printed, too */
    private String expected(boolean show) {
        List<ExpectedTime> all = new ArrayList<>();
        PassedOn found = PassedOn.NOTHING;
        for (ExperimentSession each : sessions.values()) {
            if (show) {
                each.show(found);
            }
            all.add(each.expected(found));
            found = all.get(all.size() - 1).leaves();
        }
        return ExpectedTime.sum(all).text();
    }

    /** Makes the results of what there is so far; empty when they cannot be made. */
    private Optional<SuiteReport.Written> report() {
        try {
            return Optional.of(SuiteReport.write(directory));
        } catch (IOException e) {
            world.say(ExperimentSession.unreported(directory, e));
            return Optional.empty();
        }
    }

    private void write() {
        try {
            Files.createDirectories(directory);
            AtomicFile.write(directory.resolve(FILE), file.text());
            String tool = "ycsb-drill " + BuildInfo.current().version() + " ("
                    + BuildInfo.current().commit() + ")";
            SuitePlanFile.of(file, properties, tool, machines).write(directory);
        } catch (IOException e) {
            throw ResultsFolder.unwritable("--out " + directory, e);
        }
    }

    /** Where the database is and what drives it, for readers. */
    private String machines() {
        if (file.suite().engine().isPresent()) {
            return machine();
        }
        Properties named = new Properties();
        named.putAll(properties);
        String where = new ClusterFinder(world)
                .inventory(named)
                .map(inventory -> {
                    int nodes = inventory.nodes(Role.DATA).size();
                    return "the " + inventory.engine().name() + " cluster of an inventory with " + nodes + " data node"
                            + (nodes == 1 ? "" : "s");
                })
                .orElse("servers that are not known here");
        return where + ", driven from " + machine();
    }

    /** {@code one machine with 2 cores, 8 GB of memory, Linux amd64}. */
    private static String machine() {
        var system = ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);
        return Formatted.of(
                "one machine with %d cores, %.0f GB of memory, %s %s",
                system.getAvailableProcessors(),
                system.getTotalMemorySize() / 1e9,
                System.getProperty("os.name"),
                System.getProperty("os.arch"));
    }
}
