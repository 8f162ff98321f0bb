package io.ycsbdrill.fault.node.declared;

import io.ycsbdrill.base.Io;
import io.ycsbdrill.base.ProgramTree;
import io.ycsbdrill.base.Secrets;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeIo;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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

    /**
     * The names by which a server's process is known: those of all programs, as one may be a script that becomes another, and of the
     * files that they are links to.
     */
    List<String> names() {
        return file.programs().stream()
                .flatMap(program -> Stream.of(program, target(program)))
                .distinct()
                .toList();
    }

    private String target(String program) {
        return NodeIo.get(program + " cannot be found", () -> find(program)
                .orElse(Path.of(program))
                .toRealPath()
                .getFileName()
                .toString());
    }

    /**
     * Changes the variables that a server, the script and the commands of probes inherit: none that is a secret, or that the user keeps
     * for other servers of this engine, times in UTC, and a {@code PATH} in which the programs come first.
     */
    void environment(Map<String, String> environment) {
        List<String> own = Stream.concat(Stream.of(file.engine()), file.programs().stream())
                .map(name -> name.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_") + "_")
                .toList();
        environment
                .keySet()
                .removeIf(name ->
                        Secrets.isSecret(name) || own.stream().anyMatch(name.toUpperCase(Locale.ROOT)::startsWith));
        environment.put("PATH", path() + File.pathSeparator + "/usr/bin:/bin:/usr/sbin:/sbin");
        environment.put("TZ", "UTC0");
        environment.put("LC_ALL", "C.UTF-8");
    }

    /** The folders, as a {@code PATH}. */
    String path() {
        return folders.stream().map(Path::toString).distinct().collect(Collectors.joining(File.pathSeparator));
    }

    /** Those of a cluster that was made with the programs of this {@link #path}. */
    static Programs in(EngineFile file, String path) {
        return new Programs(
                file, Stream.of(path.split(File.pathSeparator)).map(Path::of).toList());
    }

    /** The version as the file's command prints it; {@code unknown} when it does not. */
    String version() {
        return Io.or(
                "unknown",
                () -> file.version().isEmpty()
                        ? "unknown"
                        : version(ProgramOutput.of(command(file.version()), this::environment, ProgramTree.ASKING)
                                .text()));
    }

    /** The version in what such a command has printed. */
    static String version(String printed) {
        Matcher version = VERSION.matcher(printed);
        return version.find() ? version.group() : "unknown";
    }
}
