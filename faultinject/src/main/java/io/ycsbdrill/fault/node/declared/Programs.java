package io.ycsbdrill.fault.node.declared;

import io.ycsbdrill.base.ProgramTree;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where the programs of an engine are: in {@code NAME_HOME} when that is set, else in the {@code PATH} and the system's folders. Immutable.
 *
 * @param folders in which they are looked for, in this order
 */
record Programs(EngineFile file, List<Path> folders) {
    private static final Pattern VERSION = Pattern.compile("\\d+(\\.\\d+)+\\S*");

    static Programs of(EngineFile file, Map<String, String> environment) {
        List<Path> folders = ProgramTree.named(null, environment, file.variable())
                .map(home -> Stream.of("", "bin", "sbin", "usr/bin", "usr/sbin")
                        .map(home::resolve)
                        .toList())
                .orElseGet(() -> Stream.concat(
                                Stream.of(environment.getOrDefault("PATH", "").split(File.pathSeparator)),
                                Stream.of("/usr/bin", "/bin", "/usr/sbin", "/sbin"))
                        .filter(folder -> folder.startsWith("/"))
                        .map(Path::of)
                        .toList());
        return new Programs(file, folders);
    }

    Optional<Path> find(String name) {
        return folders.stream()
                .map(folder -> folder.resolve(name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** The names of those that are not there. */
    List<String> missing() {
        return file.programs().stream().filter(name -> find(name).isEmpty()).toList();
    }

    /** @throws NodeControlException naming what is missing, and what to do */
    void require() {
        if (!missing().isEmpty()) {
            throw new NodeControlException("engine " + file.engine() + " needs the programs "
                    + String.join(", ", missing()) + ", which are not in "
                    + folders.stream().map(Path::toString).distinct().collect(Collectors.joining(":"))
                    + ": install them, or set " + file.variable() + " to the folder of an installation");
        }
    }

    /** A command whose first word is one of the programs, with its place; another one as it is. */
    List<String> command(List<String> words) {
        List<String> command = new ArrayList<>(words);
        if (file.programs().contains(words.get(0))) {
            command.set(0, find(words.get(0)).orElse(Path.of(words.get(0))).toString());
        }
        return command;
    }

    /** The probe, with the place of its program. */
    Probe in(Probe probe) {
        return probe.kind() == Probe.Kind.COMMAND ? probe.asking(command(probe.question())) : probe;
    }

    /** The names by which a server's process is known: that of the program, and of the file that it is a link to. */
    List<String> names(String program) {
        Path found = find(program).orElse(Path.of(program));
        try {
            return Stream.of(program, found.toRealPath().getFileName().toString())
                    .distinct()
                    .toList();
        } catch (IOException e) {
            throw new NodeControlException(program + " cannot be found: " + e.getMessage(), e);
        }
    }

    /** A {@code PATH} in which they come first. */
    String path() {
        return folders.stream().map(Path::toString).distinct().collect(Collectors.joining(File.pathSeparator))
                + File.pathSeparator + "/usr/bin:/bin:/usr/sbin:/sbin";
    }

    /** The version as the file's command prints it; {@code unknown} when it does not. */
    String version() {
        if (file.version().isEmpty()) {
            return "unknown";
        }
        try {
            Matcher version = VERSION.matcher(ProgramOutput.of(command(file.version()), ProgramTree.ASKING)
                    .text());
            return version.find() ? version.group() : "unknown";
        } catch (IOException e) {
            return "unknown";
        }
    }
}
