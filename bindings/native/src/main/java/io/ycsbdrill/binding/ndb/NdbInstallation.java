package io.ycsbdrill.binding.ndb;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * An NDB Cluster or RonDB installation with the two files that a client needs. Found, in this order: where
 * {@code ndb.home} says; where the environment's {@code NDB_HOME} says; the newest below
 * {@code ${XDG_CACHE_HOME:-~/.cache}/ycsb-drill/ndb}, where {@code bin/install-ndb} puts it; where the packages of Debian,
 * Ubuntu, Red Hat and SUSE put it.
 *
 * @param home the folder that was looked into; {@code /usr} for packages
 * @param jar ClusterJ's jar, which also holds the Java declarations of the NDB API
 * @param library {@code libndbclient}
 */
public record NdbInstallation(Path home, Path jar, Path library) {
    private static final List<String> LIBRARY_FOLDERS = List.of(
            "lib", "lib64", "lib/mysql", "lib64/mysql", "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu", "lib/ndb");
    private static final List<String> JAR_FOLDERS =
            List.of("share/java", "share/mysql/java", "share/mysql-cluster/java");
    private static final Pattern VERSION = Pattern.compile("(\\d+\\.\\d+\\.\\d+)");

    /**
     * Looks for an installation.
     *
     * @param home the value of {@code ndb.home}; then nothing else is looked at
     * @param environment as of {@link System#getenv()}
     * @throws NotFoundException saying what was looked for and where, and what to do
     */
    public static NdbInstallation find(Optional<Path> home, Map<String, String> environment) throws NotFoundException {
        return find(home, environment, Path.of("/usr"), Path.of("/usr/local/mysql"));
    }

    static NdbInstallation find(Optional<Path> home, Map<String, String> environment, Path... packages)
            throws NotFoundException {
        List<String> looked = new ArrayList<>();
        for (Path candidate : candidates(home, environment, packages)) {
            Optional<Path> jar = newest(candidate, JAR_FOLDERS, NdbInstallation::isJar);
            Optional<Path> library = newest(candidate, LIBRARY_FOLDERS, NdbInstallation::isLibrary);
            if (jar.isPresent() && library.isPresent()) {
                return new NdbInstallation(candidate, jar.get(), library.get());
            }
            looked.add(candidate + " ("
                    + (!Files.isDirectory(candidate)
                            ? "no such folder"
                            : jar.isEmpty() && library.isEmpty()
                                    ? "neither"
                                    : jar.isEmpty() ? "no clusterj*.jar" : "no libndbclient")
                    + ")");
        }
        throw new NotFoundException("no NDB client found: looked for clusterj*.jar in " + String.join(", ", JAR_FOLDERS)
                + " and for libndbclient in " + String.join(", ", LIBRARY_FOLDERS) + " below "
                + (looked.isEmpty() ? "no folder" : String.join(", ", looked))
                + ". Run bin/install-ndb, or set NDB_HOME or -p ndb.home to an installation of MySQL NDB Cluster or RonDB"
                + " (package of ClusterJ: mysql-cluster-community-java)");
    }

    /** As the jar's name tells, for example {@code 9.7.2}. */
    public Optional<String> version() {
        Matcher matcher = VERSION.matcher(jar.getFileName().toString());
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    /** No installation was found. */
    public static final class NotFoundException extends Exception {
        private static final long serialVersionUID = 1;

        NotFoundException(String message) {
            super(message);
        }
    }

    private static List<Path> candidates(Optional<Path> home, Map<String, String> environment, Path... packages) {
        if (home.isPresent()) {
            return List.of(home.get().toAbsolutePath());
        }
        List<Path> candidates = new ArrayList<>();
        variable(environment, "NDB_HOME").ifPresent(candidates::add);
        Path cache = variable(environment, "XDG_CACHE_HOME")
                .orElseGet(() -> Path.of(environment.getOrDefault("HOME", System.getProperty("user.home")), ".cache"));
        candidates.addAll(newestFirst(cache.resolve("ycsb-drill/ndb")));
        candidates.addAll(List.of(packages));
        return candidates;
    }

    private static Optional<Path> variable(Map<String, String> environment, String name) {
        String value = environment.get(name);
        return value == null || value.isBlank()
                ? Optional.empty()
                : Optional.of(Path.of(value).toAbsolutePath());
    }

    private static List<Path> newestFirst(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> children = Files.list(folder)) {
            return children.filter(Files::isDirectory)
                    .sorted(Comparator.comparing(NdbInstallation::modified).reversed())
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    private static long modified(Path path) {
        try {
            return Files.getLastModifiedTime(path).toMillis();
        } catch (IOException e) {
            return 0;
        }
    }

    private interface Name {
        boolean fits(String name);
    }

    private static Optional<Path> newest(Path home, List<String> folders, Name wanted) {
        for (String folder : folders) {
            Path place = home.resolve(folder);
            List<Path> found = new ArrayList<>();
            if (Files.isDirectory(place)) {
                try (DirectoryStream<Path> files = Files.newDirectoryStream(place)) {
                    for (Path file : files) {
                        if (wanted.fits(file.getFileName().toString()) && Files.isReadable(file)) {
                            found.add(file);
                        }
                    }
                } catch (IOException e) {
                    continue;
                }
            }
            if (!found.isEmpty()) {
                return found.stream().max(Comparator.comparing(Path::getFileName));
            }
        }
        return Optional.empty();
    }

    private static boolean isJar(String name) {
        return name.startsWith("clusterj")
                && name.endsWith(".jar")
                && !name.matches(".*-(api|test|sources|javadoc)\\b.*");
    }

    private static boolean isLibrary(String name) {
        return name.matches("libndbclient\\.(so(\\.\\d+)*|dylib)");
    }
}
