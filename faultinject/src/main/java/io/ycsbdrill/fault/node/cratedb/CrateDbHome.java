package io.ycsbdrill.fault.node.cratedb;

import io.ycsbdrill.base.ProgramTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * An installation of CrateDB: an unpacked archive. Immutable.
 *
 * @param root the folder that has {@code bin} and {@code lib}
 */
record CrateDbHome(Path root) {
    private static final Pattern SERVER = Pattern.compile("crate-server-([0-9][0-9A-Za-z.-]*)\\.jar");
    private static final Pattern DRIVER = Pattern.compile("postgresql-[0-9][0-9.]*\\.jar");

    /**
     * Looks for an installation: the option {@code cratedb-home}, then {@code CRATEDB_HOME}, then the newest one that
     * {@code bin/install-cratedb} put into {@code ${XDG_CACHE_HOME:-~/.cache}/ycsb-drill/cratedb}. A place that was named is taken
     * even when it is no installation, so that the mistake is reported, not passed over.
     *
     * @param option the option's value, null or blank when it is not given
     * @param environment as of {@link System#getenv()}
     */
    static Optional<CrateDbHome> find(String option, Map<String, String> environment) {
        Optional<CrateDbHome> named = named(option, environment);
        if (named.isPresent()) {
            return named;
        }
        return ProgramTree.newestFirst(cache(environment)).stream()
                .map(CrateDbHome::new)
                .filter(home -> home.missing().isEmpty())
                .findFirst();
    }

    /** The place named by option or environment, whatever is there. */
    static Optional<CrateDbHome> named(String option, Map<String, String> environment) {
        return ProgramTree.named(option, environment, "CRATEDB_HOME").map(CrateDbHome::new);
    }

    /** Where {@code bin/install-cratedb} puts installations, one folder per version. */
    static Path cache(Map<String, String> environment) {
        return ProgramTree.cache("cratedb", environment);
    }

    /** The vendor's script that starts a server. */
    Path script() {
        return root.resolve("bin/crate");
    }

    /** What a cluster lacks here, as readable names; empty when everything is there. */
    List<String> missing() {
        List<String> missing = new ArrayList<>();
        if (!Files.isRegularFile(script())) {
            missing.add("bin/crate");
        }
        if (library(SERVER).isEmpty()) {
            missing.add("lib/crate-server-VERSION.jar");
        }
        return List.copyOf(missing);
    }

    /** Its version, by the name of its library; {@code unknown} when that is not there. */
    String version() {
        return library(SERVER)
                .map(jar -> {
                    Matcher name = SERVER.matcher(jar.getFileName().toString());
                    return name.matches() ? name.group(1) : "unknown";
                })
                .orElse("unknown");
    }

    /** PostgreSQL's JDBC driver, which CrateDB brings for its own use. */
    Optional<Path> driver() {
        return library(DRIVER);
    }

    private Optional<Path> library(Pattern name) {
        Path lib = root.resolve("lib");
        if (!Files.isDirectory(lib)) {
            return Optional.empty();
        }
        try (Stream<Path> jars = Files.list(lib)) {
            return jars.filter(jar -> name.matcher(jar.getFileName().toString()).matches())
                    .sorted()
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
