package io.ycsbdrill.fault.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Where engines' programs are looked for: a named place, and the cache that {@code bin/install-*} fill. Stateless. */
public final class ProgramTree {

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

    /** The versions in a cache, the newest first, without hidden folders; none when it cannot be read. */
    public static List<Path> newestFirst(Path cache) {
        if (!Files.isDirectory(cache)) {
            return List.of();
        }
        try (Stream<Path> versions = Files.list(cache)) {
            return versions.filter(p -> !p.getFileName().toString().startsWith("."))
                    .sorted(Comparator.comparing(
                                    (Path home) -> versionKey(home.getFileName().toString()))
                            .reversed())
                    .toList();
        } catch (IOException e) {
            return List.of(); // an unreadable cache holds nothing for us
        }
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
