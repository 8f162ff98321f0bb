package io.ycsbdrill.fault.node.cratedb;

import io.ycsbdrill.base.Io;
import io.ycsbdrill.fault.node.kit.EngineHomes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An installation of CrateDB: an unpacked archive. Immutable.
 *
 * @param root the folder that has {@code bin} and {@code lib}
 */
record CrateDbHome(Path root) implements EngineHomes.Home {
    /** Where it is looked for. */
    static final EngineHomes<CrateDbHome> PLACES =
            new EngineHomes<>(CrateDbEngine.NAME, "CrateDB", "bin/crate", Optional.empty(), CrateDbHome::new);

    private static final Pattern SERVER = Pattern.compile("crate-server-([0-9][0-9A-Za-z.-]*)\\.jar");
    private static final Pattern DRIVER = Pattern.compile("postgresql-[0-9][0-9.]*\\.jar");

    /** The vendor's script that starts a server. */
    Path script() {
        return root.resolve("bin/crate");
    }

    @Override
    public List<String> missing() {
        List<String> missing = new ArrayList<>();
        if (!Files.isRegularFile(script())) {
            missing.add("bin/crate");
        }
        if (library(SERVER).isEmpty()) {
            missing.add("lib/crate-server-VERSION.jar");
        }
        return List.copyOf(missing);
    }

    @Override
    public List<String> about(Map<String, String> environment) {
        CrateDbJdk jdk = CrateDbJdk.find(root, environment, Path.of(System.getProperty("java.home")));
        List<String> lines = new ArrayList<>(
                List.of("server: CrateDB " + version(), "its Java: version " + jdk.version() + ", " + jdk.home()));
        driver().ifPresent(jar -> lines.add("driver for jdbc: -cp " + jar));
        return lines;
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
        return Io.or(List.<Path>of(), () -> Io.list(root.resolve("lib"))).stream()
                .filter(jar -> name.matcher(jar.getFileName().toString()).matches())
                .findFirst();
    }
}
