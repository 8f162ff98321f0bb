package io.ycsbdrill.client.cli;

import io.ycsbdrill.base.Durations;
import io.ycsbdrill.base.Problems;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.cli.option.BindingOptions;
import io.ycsbdrill.client.cli.option.EnvironmentOptions;
import io.ycsbdrill.client.cli.option.PaceOptions;
import io.ycsbdrill.client.cli.option.RunOptions;
import io.ycsbdrill.client.cli.process.ThisJvm;
import io.ycsbdrill.client.cluster.BindingNames;
import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.client.run.RunSpec.Mode;
import io.ycsbdrill.client.run.SpecCheck;
import io.ycsbdrill.client.run.key.DeletingWorkload;
import io.ycsbdrill.client.run.pace.Calibration;
import io.ycsbdrill.client.session.WorkloadFiles;
import io.ycsbdrill.experiment.run.Tool;
import io.ycsbdrill.experiment.spec.Command;
import io.ycsbdrill.fault.node.LocalEngine;
import io.ycsbdrill.fault.node.os.Launcher;
import io.ycsbdrill.fault.node.os.OsProcess;
import io.ycsbdrill.fault.node.os.PidFile;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;
import site.ycsb.workloads.CoreWorkload;

/** This program as the tool whose commands are the cells of an experiment: each in a JVM of its own, like this one. Stateless. */
record ExperimentTool(CommandContext world) implements Tool {
    private static final long END_MILLIS = 50_000;
    /** Rows of one request when a table is loaded, and about as many bytes, at most. */
    private static final int LOADED_TOGETHER = 100;

    private static final double LOADED_BYTES = 1e6;
    private static final String NO_CHARTS = "--no-charts";
    private static final List<String> RUNS =
            Stream.of(Command.values()).map(Command::word).toList();

    /** Properties that say how a run uses the table, not what is in it. */
    private static final Set<String> OF_RUNS = Set.of(("""
            operationcount maxexecutiontime threadcount target label status.interval exporter exportfile
            readproportion updateproportion insertproportion scanproportion readmodifywriteproportion
            requestdistribution minscanlength maxscanlength scanlengthdistribution hotspotdatafraction
            hotspotopnfraction readallfields writeallfields op.timeout retry.temporary retry.backoff
            load.calibration tpcc.mode tpcc.retries tpcc.backoff tpcc.lease tpcc.check""" + " " + DeletingWorkload.PROPERTY).split("\\s+"));

    /** What the launcher does with {@code -cp} and {@code -jvm-args} is done here, as the process is started without it. */
    @Override
    public List<String> program(List<String> arguments) {
        List<String> rest = new ArrayList<>();
        List<String> command = ThisJvm.command();
        command.add("-Dycsb.drill.terminal=false");
        StringBuilder classPath = new StringBuilder(System.getProperty("java.class.path"));
        for (int i = 0; i < arguments.size(); i++) {
            String word = arguments.get(i);
            boolean valued = i + 1 < arguments.size();
            if (word.equals("-cp") && valued) {
                classPath.append(File.pathSeparator).append(arguments.get(++i));
            } else if (word.equals("-jvm-args") && valued) {
                command.addAll(List.of(arguments.get(++i).strip().split("\\s+")));
            } else {
                rest.add(word);
            }
        }
        command.addAll(List.of("-cp", classPath.toString(), Main.class.getName()));
        command.addAll(rest);
        if (RUNS.contains(rest.get(0)) && !rest.contains(NO_CHARTS)) {
            command.add(NO_CHARTS); // nobody looks at those of every cell, and they take a second
        }
        return command;
    }

    @Override
    public List<String> on(String engine, List<String> arguments) {
        boolean chooses = arguments.size() > 1
                && BindingNames.dependsOnEngine(arguments.get(1))
                && !arguments.contains("--engine");
        List<String> all = new ArrayList<>(arguments);
        if (chooses) {
            all.addAll(2, List.of("--engine", engine));
        }
        return all;
    }

    @Override
    public Inspection inspect(List<String> arguments) {
        List<String> problems = new ArrayList<>();
        try {
            String[] typed = arguments.toArray(String[]::new);
            ParseResult parsed = Main.commandLine(world, typed).parseArgs(typed).subcommand();
            if (parsed.commandSpec().userObject() instanceof RunsWorkload command) {
                command.session().problems(command.mode()).forEach(problems::add);
                return inspect(arguments, parsed, command.mode(), problems);
            }
            problems.add(parsed.commandSpec().name() + " does not run a workload");
        } catch (CommandLine.ParameterException e) {
            problems.add(String.valueOf(e.getMessage()));
        } catch (ConfigException e) {
            problems.addAll(e.problems());
        }
        return Inspection.unknown(problems);
    }

    private Inspection inspect(List<String> arguments, ParseResult parsed, Mode mode, List<String> problems) {
        Properties properties = properties(parsed);
        boolean typed = assigned(parsed).containsKey("operationcount");
        String databaseClass = parsed.matchedOptionValue("-db", (String) null);
        if (databaseClass != null) {
            properties.setProperty("db", databaseClass);
        }
        boolean core =
                properties.getProperty("workload", CoreWorkload.class.getName()).equals(CoreWorkload.class.getName());
        boolean keepsRows = Stream.of(CoreWorkload.INSERT_PROPORTION_PROPERTY, DeletingWorkload.PROPERTY)
                        .allMatch(share -> properties.getProperty(share, "0").matches("0*(\\.0*)?"))
                && !properties.containsKey("record.ttl"); // rows that go by themselves
        boolean drill = arguments.get(0).equals("drill");
        String binding = parsed.matchedPositionalValue(0, "");
        Map<String, String> table = new TreeMap<>();
        properties.stringPropertyNames().stream()
                .filter(key -> !OF_RUNS.contains(key))
                .forEach(key -> table.put(key, properties.getProperty(key)));
        Optional<Duration> length = drill || mode == Mode.LOAD ? Optional.empty() : length(parsed, properties, typed);
        boolean loads = mode == Mode.LOAD || parsed.hasMatchedOption("--no-load");
        return new Inspection(
                problems,
                mode == Mode.RUN && core && keepsRows,
                drill,
                // All of ours find the same table on one cluster. A class given by -db is among the properties.
                (BindingNames.all().contains(binding) ? "" : binding + " ") + table,
                loads
                        ? List.of()
                        : load(
                                arguments,
                                parsed,
                                BindingNames.all().contains(binding) && insertsOneRowEach(properties)
                                        ? List.of("-p", SpecCheck.BATCH_SIZE + "=" + loadedTogether(properties))
                                        : List.of()),
                core ? rowBytes(properties) : OptionalDouble.empty(),
                length,
                length.map(all -> all.minus(trimmed(parsed, properties))));
    }

    /** What warm-up, cool-down and calibration take of a run; a calibration that is not sure takes longer. */
    private static Duration trimmed(ParseResult parsed, Properties properties) {
        boolean share = parsed.matchedOptionValue("--rate", "").strip().endsWith("%");
        Duration calibration = share
                ? PaceOptions.calibration(properties, new Problems()).orElse(Calibration.STANDARD)
                : Duration.ZERO;
        Duration warmup = time(parsed, "--warmup");
        return time(parsed, "--cooldown").plus(calibration.compareTo(warmup) > 0 ? calibration : warmup);
    }

    private static Duration time(ParseResult parsed, String option) {
        try {
            return Durations.parse(parsed.matchedOptionValue(option, "0s"));
        } catch (IllegalArgumentException e) {
            return Duration.ZERO; // reported already
        }
    }

    private Properties properties(ParseResult parsed) {
        Properties properties = new Properties();
        List<String> files = parsed.matchedOptionValue("-P", List.of());
        files.forEach(file -> properties.putAll(WorkloadFiles.read(file, world, new Problems())));
        properties.putAll(assigned(parsed));
        return properties;
    }

    private static Map<String, String> assigned(ParseResult parsed) {
        return BindingOptions.assigned(parsed.matchedOptionValue("-p", List.of()), new Problems());
    }

    private static int loadedTogether(Properties properties) {
        Properties one = new Properties();
        one.putAll(properties);
        one.setProperty("recordcount", "1");
        double bytes = rowBytes(one).orElse(LOADED_BYTES);
        return (int) Math.max(1, Math.min(LOADED_TOGETHER, LOADED_BYTES / Math.max(1, bytes)));
    }

    /** The bytes of all rows, without keys; empty when a number is none, which is reported elsewhere. */
    private static OptionalDouble rowBytes(Properties properties) {
        try {
            return OptionalDouble.of(Double.parseDouble(properties.getProperty("recordcount", "0"))
                    * Double.parseDouble(properties.getProperty(
                            CoreWorkload.FIELD_COUNT_PROPERTY, CoreWorkload.FIELD_COUNT_PROPERTY_DEFAULT))
                    * Double.parseDouble(properties.getProperty(
                            CoreWorkload.FIELD_LENGTH_PROPERTY, CoreWorkload.FIELD_LENGTH_PROPERTY_DEFAULT)));
        } catch (NumberFormatException e) {
            return OptionalDouble.empty();
        }
    }

    @Override
    public Optional<String> clusterProblem(String engine, Map<String, String> options) {
        Map<String, String> own = new HashMap<>(options);
        LocalEngine.COMMON_OPTIONS.forEach(common -> own.remove(common.name()));
        try {
            world.engine(engine).ifPresent(each -> each.check(own));
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of("cluster up " + engine + ": " + e.getMessage());
        }
    }

    @Override
    public Optional<String> tooSmall(
            String engine, Map<String, String> options, List<String> arguments, double besides) {
        Map<String, String> own = new HashMap<>(options);
        LocalEngine.COMMON_OPTIONS.forEach(common -> own.remove(common.name()));
        try {
            String[] typed = arguments.toArray(String[]::new);
            ParseResult parsed = Main.commandLine(world, typed).parseArgs(typed).subcommand();
            if (!(parsed.commandSpec().userObject() instanceof RunsWorkload)) {
                return Optional.empty();
            }
            Properties properties = properties(parsed);
            return world.engine(engine)
                    .flatMap(each -> each.tooSmall(
                            own, properties, besides + rowBytes(properties).orElse(0)));
        } catch (CommandLine.ParameterException | ConfigException e) {
            return Optional.empty(); // reported already
        }
    }

    /** Whether rows of the workload can be loaded together, as nothing was said of it. */
    private static boolean insertsOneRowEach(Properties properties) {
        String workload = properties.getProperty("workload", CoreWorkload.class.getName());
        return !properties.containsKey(SpecCheck.BATCH_SIZE)
                && (workload.equals(CoreWorkload.class.getName()) || workload.startsWith("io.ycsbdrill."));
    }

    /**
     * The load that a run would do first, which must neither be slowed down nor cut off.
     *
     * @param more words
     */
    private static List<String> load(List<String> arguments, ParseResult parsed, List<String> more) {
        List<String> load = new ArrayList<>(List.of("load"));
        if (parsed.hasMatchedPositional(0)) {
            load.add(parsed.matchedPositionalValue(0, ""));
        }
        for (String option : List.of("-db", "-P", "-p", "--engine", "--on", "-cp", "-jvm-args")) {
            CommandLine.Model.OptionSpec matched = parsed.matchedOption(option);
            if (matched != null) {
                matched.originalStringValues().forEach(value -> load.addAll(List.of(option, value)));
            }
        }
        load.addAll(List.of("-p", "target=0", "-p", "maxexecutiontime=0"));
        load.addAll(more);
        return load;
    }

    /**
     * Of a run that only its time ends; what ends by a number of operations may be over long before.
     *
     * @param counted whether that number is used beside {@code --duration}, see {@link RunOptions}
     */
    private static Optional<Duration> length(ParseResult parsed, Properties properties, boolean counted) {
        try {
            String duration = parsed.matchedOptionValue("--duration", (String) null);
            if ((duration == null || counted) && Long.parseLong(properties.getProperty("operationcount", "0")) > 0) {
                return Optional.empty();
            }
            if (duration != null) {
                return Optional.of(Durations.parse(duration));
            }
            return Optional.ofNullable(properties.getProperty("maxexecutiontime"))
                    .map(seconds -> Duration.ofSeconds(Long.parseLong(seconds)));
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // reported already
        }
    }

    @Override
    public Process start(
            List<String> command, Path directory, Path output, Path pidFile, Map<String, String> environment)
            throws IOException {
        return Launcher.start(command, directory, output, pidFile, List.of("java"), variables -> {
            variables.keySet().removeIf(EnvironmentOptions::isOption); // a cell is what its file says
            variables.putAll(ThisJvm.environment());
            variables.putAll(environment);
        });
    }

    @Override
    public boolean endLeftover(Path pidFile) {
        Optional<OsProcess> left = PidFile.running(pidFile);
        left.ifPresent(process -> process.end(END_MILLIS));
        return left.isPresent();
    }
}
