package io.ycsbdrill.client.cli.start;

import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.base.InputFile;
import io.ycsbdrill.base.Io;
import io.ycsbdrill.base.NearestName;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.client.session.WorkloadFiles;
import io.ycsbdrill.fault.schedule.DrillFile;
import io.ycsbdrill.fault.schedule.DrillFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Collectors;

/** Drill files by path or, of those that come with the tool, by name. */
public record ShippedDrills(CommandContext world) {
    private static final String FOLDER = "workloads/drills";
    private static final String ENDING = ".yaml";
    private static final String QUESTION = "# Question: ";

    /** The names, sorted; none when the tool was not started by its launcher. */
    public List<String> names() {
        Path folder = world.home().map(home -> home.resolve(FOLDER)).orElse(null);
        if (folder == null || !Files.isDirectory(folder)) {
            return List.of();
        }
        // As if there were none, where it cannot be listed: a name is then answered as a file that is not there.
        return Io.or(List.<String>of(), () -> Io.names(folder)).stream()
                .filter(file -> file.endsWith(ENDING))
                .map(file -> file.substring(0, file.length() - ENDING.length()))
                .toList();
    }

    /**
     * Reads a drill: the file as named, the one of that path in the project's folder, or the shipped drill of that name.
     *
     * @throws ConfigException when it is not there, or invalid, or when the name also means a file of the working directory
     */
    public DrillFile read(String typed) {
        Path here = world.workingDirectory().resolve(typed);
        String named = typed;
        boolean free = !Files.exists(here) || Files.isDirectory(here);
        if (free && names().contains(typed)) {
            if (Files.exists(world.workingDirectory().resolve(typed + ENDING))) {
                throw new ConfigException("drill " + typed + ": a drill that comes with ycsb-drill has this name, and "
                        + typed + ENDING + " is here; say which: -D " + typed + ENDING + ", or -D " + FOLDER + "/"
                        + typed
                        + ENDING);
            }
            named = FOLDER + "/" + typed + ENDING;
            here = world.home().orElseThrow().resolve(named);
        } else if (free && world.home().isPresent()) {
            Path shipped = world.home().get().resolve(named);
            here = Files.exists(shipped) ? shipped : here;
        }
        try {
            return DrillFile.parse(named, InputFile.text(here, InputFile.Kind.SETTINGS));
        } catch (DrillFileException e) {
            throw new ConfigException(e.problems());
        } catch (NoSuchFileException e) {
            String hint = NearestName.hint(typed, names());
            throw new ConfigException("drill file " + typed + " is not there"
                    + (hint.isEmpty() ? WorkloadFiles.hint(typed, world) : hint)
                    + (names().isEmpty() ? "" : "; ycsb drill --list has those by name"));
        } catch (IOException e) {
            throw new ConfigException("drill file " + typed + " cannot be read: " + FileReason.of(e));
        }
    }

    /** Prints each name, the question that the drill answers, and what it needs of a cluster. */
    public void list() {
        for (String name : names()) {
            DrillFile file = read(FOLDER + "/" + name + ENDING);
            String needs = file.schedule().clusterSwitches().stream()
                    .map(option -> "--" + option)
                    .sorted()
                    .collect(Collectors.joining(" "));
            world.out().println(name + (needs.isEmpty() ? "" : "   [cluster up " + needs + "]"));
            world.out().println("    " + question(file));
        }
        world.out().println("Run one: ycsb drill BINDING -P workloads/workloadb -D NAME; what it would do: --plan");
        world.out().flush();
    }

    /** The question in the file's first comment; empty without one. */
    static String question(DrillFile file) {
        String comment = file.text()
                .lines()
                .dropWhile(line -> !line.startsWith(QUESTION))
                .takeWhile(line -> line.startsWith("# "))
                .map(line -> line.substring(2))
                .collect(Collectors.joining(" "));
        int end = comment.indexOf("? ");
        return comment.substring(comment.indexOf(' ') + 1, end < 0 ? comment.length() : end + 1);
    }

    /** For completion. */
    public static final class Names implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return new ShippedDrills(CommandContext.ofProcess()).names().iterator();
        }
    }
}
