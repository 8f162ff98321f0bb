package io.ycsbdrill.client.session;

import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.base.InputFile;
import io.ycsbdrill.base.Io;
import io.ycsbdrill.base.NearestName;
import io.ycsbdrill.base.Problems;
import io.ycsbdrill.client.cluster.CommandContext;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;

/** Finds and reads property files: relative to the working directory, else to the project's home. */
public final class WorkloadFiles {
    private WorkloadFiles() {}

    /** The file's properties; nothing, and a problem, when it cannot be read. */
    public static Properties read(String name, CommandContext world, Problems problems) {
        Properties properties = new Properties();
        Path file = places(name, world).stream()
                .filter(place -> Files.exists(place) && !Files.isDirectory(place))
                .findFirst()
                .orElse(null);
        if (file == null) {
            boolean folder = !name.isEmpty() && places(name, world).stream().anyMatch(Files::isDirectory);
            problems.unreadable("-P " + name
                    + (folder ? ": is a directory; give a file in it" : ": no such file" + hint(name, world)));
            return properties;
        }
        try {
            properties.load(new StringReader(InputFile.text(file, InputFile.Kind.SETTINGS)));
            // A blank at the end of a line belongs to a value in this format, and is never meant.
            properties.replaceAll((key, value) -> value.toString().strip());
        } catch (IOException | IllegalArgumentException e) {
            problems.unreadable("-P " + name + ": " + file + " cannot be read as a property file: "
                    + (e instanceof IOException io ? FileReason.of(io) : e.getMessage()));
        }
        return properties;
    }

    /** Name without folder and extension. */
    public static String shortName(String file) {
        String name = Path.of(file).getFileName().toString();
        int dot = name.lastIndexOf('.');
        return dot > 0 ? name.substring(0, dot) : name;
    }

    private static List<Path> places(String name, CommandContext world) {
        Path here = world.workingDirectory().resolve(name);
        return world.home()
                .map(home -> List.of(
                        here, home.resolve(name), home.resolve("workloads").resolve(name)))
                .orElse(List.of(here));
    }

    /** What to add when a file of this name is not there: one that is, or where it was looked for. */
    public static String hint(String name, CommandContext world) {
        String typed = Path.of(name).getFileName().toString();
        for (Path place : places(name, world)) {
            Path folder = place.getParent();
            if (folder == null || !Files.isDirectory(folder)) {
                continue;
            }
            // A folder that cannot be listed gives no hint; the problem itself is reported anyway.
            List<String> names = Io.or(List.<String>of(), () -> Io.names(folder)).stream()
                    .filter(each -> Files.isRegularFile(folder.resolve(each)))
                    .toList();
            var nearest = NearestName.of(typed, names);
            if (nearest.isPresent()) {
                Path meant = folder.resolve(nearest.get()).normalize();
                Path here = world.workingDirectory().toAbsolutePath().normalize();
                return "; did you mean \"" + (meant.startsWith(here) ? here.relativize(meant) : meant) + "\"?";
            }
        }
        return world.home()
                .map(home -> "; looked in " + world.workingDirectory() + " and " + home)
                .orElse("; looked in " + world.workingDirectory());
    }
}
