package io.ycsbdrill.fault.node.haproxy;

import io.ycsbdrill.base.ProgramTree;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * An HAProxy that can be run. Immutable.
 *
 * @param program the executable
 */
public record HaproxyHome(Path program) {
    private static final String NAME = "haproxy";
    private static final List<String> FOLDERS = List.of("usr/sbin", "sbin", "bin", "");
    private static final List<Path> USUAL = List.of(Path.of("/usr/sbin"), Path.of("/usr/local/sbin"));

    /**
     * Looks for HAProxy: the option {@code haproxy-home}, then {@code HAPROXY_HOME}, then {@code PATH}, {@code /usr/sbin} and
     * {@code /usr/local/sbin}, then the given trees, then those that {@code bin/install-galera} unpacks: {@code GALERA_HOME},
     * and the newest in the cache. When a place was named, no other is looked at.
     *
     * @param option the option's value, null or blank when it is not given
     * @param environment as of {@link System#getenv()}
     * @param trees folders with {@code usr/sbin}
     */
    public static Optional<HaproxyHome> find(String option, Map<String, String> environment, List<Path> trees) {
        return find(option, environment, trees, USUAL);
    }

    static Optional<HaproxyHome> find(
            String option, Map<String, String> environment, List<Path> trees, List<Path> usual) {
        Optional<Path> named = named(option, environment);
        if (named.isPresent()) {
            return below(named.get());
        }
        List<Path> places = new ArrayList<>();
        for (String folder : environment.getOrDefault("PATH", "").split(File.pathSeparator)) {
            if (!folder.isBlank()) {
                places.add(Path.of(folder));
            }
        }
        places.addAll(usual);
        places.addAll(trees);
        ProgramTree.named(null, environment, "GALERA_HOME").ifPresent(places::add);
        places.addAll(ProgramTree.newestFirst(ProgramTree.cache("galera", environment)));
        return places.stream().flatMap(place -> below(place).stream()).findFirst();
    }

    /** The place that was named by option or environment, whatever is there: a folder, or the program itself. */
    public static Optional<Path> named(String option, Map<String, String> environment) {
        return ProgramTree.named(option, environment, "HAPROXY_HOME");
    }

    private static Optional<HaproxyHome> below(Path place) {
        return Stream.concat(Stream.of(place), FOLDERS.stream().map(folder -> place.resolve(folder)
                        .resolve(NAME)))
                .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                .findFirst()
                .map(HaproxyHome::new);
    }

    /**
     * Its version. Runs {@code haproxy -v}.
     *
     * @throws IOException saying why it could not be asked, or that it is something else
     */
    public String version() throws IOException {
        ProgramOutput output =
                ProgramOutput.of(List.of(program.toString(), "-v"), environment(System.getenv()), ProgramTree.ASKING);
        if (output.exit() != 0 || !output.firstLine().startsWith("HA")) {
            throw new IOException("haproxy -v ended with exit code " + output.exit()
                    + (output.firstLine().isEmpty() ? " and printed nothing" : ": " + output.firstLine()));
        }
        return output.firstLine();
    }

    /** Variables to add to the given ones, so that an unpacked program finds its libraries. */
    Map<String, String> environment(Map<String, String> given) {
        Path folder = program.getParent();
        return folder != null && folder.endsWith("usr/sbin")
                ? ProgramTree.environment(folder.getParent().getParent(), given)
                : Map.of();
    }
}
