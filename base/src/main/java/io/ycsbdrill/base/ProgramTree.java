package io.ycsbdrill.base;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Where engines' programs are looked for: a named place, and the cache that {@code bin/install-*} fill. Stateless. */
public final class ProgramTree {

    /** Bound for asking a program for its version. */
    public static final Duration ASKING = Duration.ofSeconds(20);

    /** Where packages of a distribution have programs, below the root of the tree. */
    public static final List<String> BIN = List.of("usr/sbin", "usr/bin");

    private static final List<String> LIB = List.of("usr/lib", "usr/lib64", "lib", "lib64");

    private ProgramTree() {}

    /**
     * The place named by the option, else by the variable, as an absolute path; blank values name none.
     *
     * @param option null when it is not given
     * @param environment as of {@link System#getenv()}
     */
    public static Optional<Path> named(String option, Map<String, String> environment, String variable) {
        return Stream.of(Optional.ofNullable(option), Optional.ofNullable(environment.get(variable)))
                .flatMap(Optional::stream)
                .filter(place -> !place.isBlank())
                .findFirst()
                .map(place -> Path.of(place.strip()).toAbsolutePath().normalize());
    }

    /** The engine's folder in the cache, {@code ${XDG_CACHE_HOME:-~/.cache}/ycsb-drill/<engine>}: one folder per version. */
    public static Path cache(String engine, Map<String, String> environment) {
        String xdg = environment.get("XDG_CACHE_HOME");
        Path cache = xdg != null && !xdg.isBlank()
                ? Path.of(xdg)
                : Path.of(environment.getOrDefault("HOME", System.getProperty("user.home")), ".cache");
        return cache.resolve("ycsb-drill").resolve(engine);
    }

    /**
     * What programs of a tree of unpacked packages need to find each other and their libraries.
     *
     * @param root the folder that has {@code usr}; {@code /} for installed packages, which know their libraries
     * @param given the environment
     * @return variables to add to it
     */
    public static Map<String, String> environment(Path root, Map<String, String> given) {
        String path = BIN.stream().map(f -> root.resolve(f).toString()).collect(Collectors.joining(":")) + ":"
                + given.getOrDefault("PATH", "/usr/bin:/bin:/usr/sbin:/sbin");
        if (root.equals(Path.of("/"))) {
            return Map.of("PATH", path);
        }
        List<String> libraries = new ArrayList<>();
        for (String folder : LIB) {
            libraries.add(root.resolve(folder).toString());
            libraries.addAll(multiarch(root.resolve(folder)));
        }
        return Map.of("PATH", path, "LD_LIBRARY_PATH", String.join(":", libraries));
    }

    private static List<String> multiarch(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        return Io.or(List.of(), () -> Io.list(folder).stream()
                .filter(p -> p.getFileName().toString().matches(".+-linux-gnu.*"))
                .map(Path::toString)
                .toList());
    }

    /** The versions in a cache, the newest first, without hidden folders; none when it cannot be read. */
    public static List<Path> newestFirst(Path cache) {
        if (!Files.isDirectory(cache)) {
            return List.of();
        }
        // An unreadable cache holds nothing for us.
        return Io.or(List.of(), () -> Io.list(cache).stream()
                .filter(p -> !p.getFileName().toString().startsWith("."))
                .sorted(Comparator.comparing(
                                (Path home) -> versionKey(home.getFileName().toString()))
                        .reversed())
                .toList());
    }

    /** Pads the numbers in a name, so that by text 9.10.0 comes after 9.7.2. */
    public static String versionKey(String name) {
        StringBuilder key = new StringBuilder();
        for (String part : name.split("(?<=\\d)(?=\\D)|(?<=\\D)(?=\\d)")) {
            key.append(Character.isDigit(part.charAt(0)) ? "0".repeat(Math.max(0, 10 - part.length())) + part : part);
        }
        return key.toString();
    }
}
