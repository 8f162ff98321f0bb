package io.ycsbdrill.fault.node.cratedb;

import io.ycsbdrill.base.Io;
import io.ycsbdrill.base.ProgramTree;
import io.ycsbdrill.fault.node.NodeControlException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * A Java runtime for the servers. Immutable.
 *
 * @param home the folder that has {@code bin/java}
 * @param version the first number of its version; 0 when it does not say
 */
record CrateDbJdk(Path home, int version) {
    /** The oldest one that CrateDB 6 runs on. */
    static final int OLDEST = 24;

    /** The environment variable that names one. */
    static final String VARIABLE = "CRATEDB_JAVA_HOME";

    /**
     * Looks for one: the installation's own {@code jdk}, then {@code CRATEDB_JAVA_HOME}, then {@code JAVA_HOME}, then the one that
     * runs this program, then those in the same folder as that one, the newest first. One that is too old is passed over, unless
     * it was named by {@code CRATEDB_JAVA_HOME}.
     *
     * @param installation of CrateDB
     * @param running the home of the Java that runs this program
     * @throws NodeControlException when there is none, or the one that was named is none or too old
     */
    static CrateDbJdk find(Path installation, Map<String, String> environment, Path running) {
        Optional<CrateDbJdk> own = at(installation.resolve("jdk"));
        if (own.isPresent()) {
            return own.get();
        }
        Optional<Path> named = ProgramTree.named(null, environment, VARIABLE);
        if (named.isPresent()) {
            return at(named.get())
                    .filter(CrateDbJdk::fits)
                    .orElseThrow(() -> new NodeControlException(VARIABLE + "=" + named.get() + " is "
                            + at(named.get())
                                    .map(old -> "Java " + old.version)
                                    .orElse("no Java installation (it has no bin/java)")
                            + "; CrateDB needs a JDK of version " + OLDEST + " or newer"));
        }
        List<Path> places = new ArrayList<>();
        ProgramTree.named(null, environment, "JAVA_HOME").ifPresent(places::add);
        places.add(running);
        Optional.ofNullable(real(running).getParent())
                .map(ProgramTree::newestFirst)
                .ifPresent(places::addAll);
        return places.stream()
                .flatMap(place -> at(place).stream())
                .filter(CrateDbJdk::fits)
                .findFirst()
                .orElseThrow(() -> new NodeControlException("no JDK of version " + OLDEST
                        + " or newer found, which CrateDB needs: set " + VARIABLE + " to one, or link it as "
                        + installation.resolve("jdk")));
    }

    /** {@link #find(Path, Map, Path)} for this process. */
    static CrateDbJdk find(Path installation) {
        return find(installation, System.getenv(), Path.of(System.getProperty("java.home")));
    }

    private static Path real(Path path) {
        return Io.or(path.toAbsolutePath(), () -> path.toRealPath());
    }

    private boolean fits() {
        return version >= OLDEST;
    }

    private static Optional<CrateDbJdk> at(Path home) {
        return Files.isExecutable(home.resolve("bin/java"))
                ? Optional.of(new CrateDbJdk(real(home), version(home)))
                : Optional.empty();
    }

    /** From the file {@code release}, which every JDK has: {@code JAVA_VERSION="25.0.1"}. */
    private static int version(Path home) {
        Properties release = new Properties();
        try (Stream<String> lines = Files.lines(home.resolve("release"))) {
            lines.map(line -> line.split("=", 2))
                    .filter(pair -> pair.length == 2)
                    .forEach(pair -> release.setProperty(pair[0], pair[1]));
            return Integer.parseInt(release.getProperty("JAVA_VERSION", "")
                    .replaceAll("[^0-9.]", "")
                    .split("\\.")[0]);
        } catch (IOException | NumberFormatException e) {
            return 0;
        }
    }
}
