package io.ycsbdrill.client.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.base.InputFile;
import io.ycsbdrill.base.Io;
import io.ycsbdrill.base.NearestName;
import io.ycsbdrill.base.Problems;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.cli.option.BindingOptions;
import io.ycsbdrill.client.cli.option.ExperimentOptions;
import io.ycsbdrill.client.cli.option.JsonOption;
import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.experiment.suite.SuiteChoice;
import io.ycsbdrill.fault.inventory.Inventory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "suite",
        sortOptions = false,
        description = "Runs the experiments of a published benchmark and judges its claims; see docs/suites.md.",
        footer = {
            "",
            "Exit codes:  0 all cells were run, 1 none counts, or it was interrupted%n             (continue: --resume), 2 usage or file"
        })
final class SuiteCommand extends ContextCommand {
    private static final String FOLDER = "workloads/suites";
    private static final String ENDING = ".yaml";

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "NAME",
            completionCandidates = SuiteCommand.Names.class,
            description = "The suite, or a file of your own (.yaml). Without it the suites are listed.")
    private String name;

    @Option(
            names = "--scale",
            paramLabel = "SCALE",
            description = "small (default), medium (some suites), seed (the source's size), or a factor of it: 0.01.")
    private String scale;

    @Option(
            names = "--on",
            paramLabel = "ENGINE|INVENTORY",
            description = "Start clusters of this engine (default: the file's first), or use that of this inventory.")
    private String on;

    @Option(
            names = "-p",
            paramLabel = "KEY=VALUE",
            description = "A property of all cells; without --on it has to say where the database is.")
    private List<String> assigned = new ArrayList<>();

    @Option(
            names = "--only",
            paramLabel = "EXPERIMENT",
            description = "Only this experiment of the suite; may be given several times.")
    private List<String> only = new ArrayList<>();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "The suite's directory, new or empty (default: results/TIME-NAME).")
    private Path out;

    @Mixin
    private ExperimentOptions options;

    @Mixin
    private JsonOption json;

    SuiteCommand(CommandContext world) {
        super(world);
    }

    @Override
    public Integer call() {
        Optional<Path> resumed = options.resumed(world, new Problems(), Set.of("--only"));
        if (resumed.isPresent()) {
            return SuiteSession.resumed(world, resumed.get(), only).execute(options.dryRun(), json.given());
        }
        if (name == null) {
            list();
            return 0;
        }
        Path file = file();
        Problems problems = new Problems();
        Map<String, String> properties = new TreeMap<>();
        BindingOptions.assigned(assigned, problems).forEach((key, value) -> properties.put("" + key, "" + value));
        problems.throwIfAny(ConfigException::new);
        Optional<String> engine = Optional.ofNullable(on);
        if (on != null && Files.isRegularFile(world.workingDirectory().resolve(on))) {
            properties.put(
                    Inventory.PROPERTY,
                    world.workingDirectory().resolve(on).normalize().toString());
            engine = Optional.empty();
        } else if (on != null && on.matches(".*(/.*|\\.ya?ml)")) {
            throw new ConfigException("the inventory --on " + on + " is not there");
        }
        SuiteChoice choice = new SuiteChoice(engine, scale == null ? "small" : scale, properties);
        return SuiteSession.begun(world, file, read(file), choice, only, Optional.ofNullable(out))
                .execute(options.dryRun(), json.given());
    }

    private void list() {
        ObjectNode document = JsonNodeFactory.instance.objectNode().put("schema", 1);
        ArrayNode suites = document.putArray("suites");
        for (String suite : names()) {
            String title = read(folder().orElseThrow().resolve(suite + ENDING))
                    .lines()
                    .filter(line -> line.startsWith("title:"))
                    .map(line -> line.substring("title:".length()).strip().replaceAll("^\"|\"$", ""))
                    .findFirst()
                    .orElse("");
            suites.addObject().put("name", suite).put("title", title);
            if (!json.given()) {
                world.out().printf("%-18s %s%n", suite, title);
            }
        }
        if (json.given()) {
            world.out().println(document.toPrettyString());
        }
        world.out().flush();
    }

    private Optional<Path> folder() {
        return Stream.concat(Stream.of(world.workingDirectory()), world.home().stream())
                .map(place -> place.resolve(FOLDER))
                .filter(Files::isDirectory)
                .findFirst();
    }

    private List<String> names() {
        if (folder().isEmpty()) {
            return List.of();
        }
        Path suites = folder().get();
        return Io.get(
                        "the suites in " + suites + " cannot be listed",
                        (text, e) -> new ConfigException(text),
                        () -> Io.names(suites))
                .stream()
                .filter(file -> file.endsWith(ENDING))
                .map(file -> file.substring(0, file.length() - ENDING.length()))
                .toList();
    }

    private Path file() {
        if (name.endsWith(ENDING) || name.contains("/")) {
            return world.workingDirectory().resolve(name);
        }
        if (!names().contains(name)) {
            throw new ConfigException("suite \"" + name + "\" is not there" + NearestName.hintOf(name, names())
                    + "; custom suite files must end in " + ENDING);
        }
        return folder().orElseThrow().resolve(name + ENDING);
    }

    private static String read(Path file) {
        return Io.get(
                "suite file " + file + " cannot be read",
                (text, e) -> new ConfigException(text),
                () -> InputFile.text(file, InputFile.Kind.SETTINGS));
    }

    /** For completion. */
    static final class Names implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return new SuiteCommand(CommandContext.ofProcess()).names().iterator();
        }
    }
}
