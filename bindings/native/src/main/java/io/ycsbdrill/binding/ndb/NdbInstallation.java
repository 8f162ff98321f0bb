package io.ycsbdrill.binding.ndb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * An NDB Cluster or RonDB installation with the two files that a client needs. Found, in this order: where
 * {@code ndb.home} says; where the environment's {@code NDB_HOME} says; the newest version below
 * {@code ${XDG_CACHE_HOME:-~/.cache}/ycsb-drill/ndb}, where {@code bin/install-ndb} puts it; where the packages of Debian,
 * Ubuntu, Red Hat and SUSE put it. A place that was named is the only one looked into, so that a mistake is reported. The
 * fault injector has to come to the same place and follows the same rules; a table of cases is tested against both.
 *
 * @param home the folder that was looked into; {@code /usr} for packages
 * @param jar ClusterJ's jar, which also holds the Java declarations of the NDB API
 * @param library {@code libndbclient}
 */
record NdbInstallation(Path home, Path jar, Path library) {
    private static final List<String> LIBRARY_FOLDERS =
            List.of("lib", "lib64", "lib/mysql", "lib64/mysql", "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu");
    private static final List<String> JAR_FOLDERS =
            List.of("share/java", "share/mysql/java", "share/mysql-cluster/java");
    private static final Pattern VERSION = Pattern.compile("(\\d+\\.\\d+\\.\\d+)");
    private static final Pattern NUMBER = Pattern.compile("\\d+");

    /**
     * Looks for an installation.
     *
     * @param home the value of {@code ndb.home}; then nothing else is looked at
     * @param environment as of {@link System#getenv()}
     * @throws NotFoundException saying what was looked for and where, and what to do
     */
    static NdbInstallation find(Optional<Path> home, Map<String, String> environment) throws NotFoundException {
        return find(home, environment, Path.of("/usr"), Path.of("/usr/local/mysql"));
    }

    static NdbInstallation find(Optional<Path> home, Map<String, String> environment, Path... packages)
            throws NotFoundException {
        Optional<Path> named = home.or(() -> variable(environment, "NDB_HOME"));
        List<Path> candidates = named.isPresent() ? List.of(named.get()) : usualPlaces(environment, packages);
        List<String> looked = new ArrayList<>();
        for (Path candidate : candidates) {
            Path place = candidate.toAbsolutePath().normalize();
            Optional<Path> jar = jar(place);
            Optional<Path> library = library(place);
            if (jar.isPresent() && library.isPresent()) {
                return new NdbInstallation(place, jar.get(), library.get());
            }
            looked.add(place + " ("
                    + (!Files.isDirectory(place)
                            ? "no such folder"
                            : jar.isEmpty() && library.isEmpty()
                                    ? "neither"
                                    : jar.isEmpty() ? "no clusterj*.jar" : "no libndbclient")
                    + ")");
            if (hasServer(place)) {
                break; // this is the installation, and it lacks something
            }
        }
        throw new NotFoundException("no NDB client found: looked for clusterj*.jar in " + String.join(", ", JAR_FOLDERS)
                + " and for libndbclient in " + String.join(", ", LIBRARY_FOLDERS) + " below "
                + (looked.isEmpty() ? "no folder" : String.join(", ", looked))
                + ". Run bin/install-ndb, or set NDB_HOME or -p ndb.home to an installation of MySQL NDB Cluster or RonDB"
                + " (package of ClusterJ: mysql-cluster-community-java)");
    }

    /** The version in the jar's name, for example {@code 9.7.2}. */
    Optional<String> version() {
        Matcher matcher = VERSION.matcher(jar.getFileName().toString());
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    /** No installation was found. */
    static final class NotFoundException extends Exception {
        private static final long serialVersionUID = 1;

        NotFoundException(String message) {
            super(message);
        }
    }

    private static List<Path> usualPlaces(Map<String, String> environment, Path... packages) {
        Path cache = variable(environment, "XDG_CACHE_HOME")
                .orElseGet(() -> Path.of(environment.getOrDefault("HOME", System.getProperty("user.home")), ".cache"));
        List<Path> places = new ArrayList<>(newestFirst(cache.resolve("ycsb-drill/ndb")));
        places.addAll(List.of(packages));
        return places;
    }

    private static Optional<Path> variable(Map<String, String> environment, String name) {
        String value = environment.get(name);
        return value == null || value.isBlank() ? Optional.empty() : Optional.of(Path.of(value.strip()));
    }

    private static List<Path> newestFirst(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> children = Files.list(folder)) {
            return children.sorted(
                            Comparator.comparing(NdbInstallation::versionKey).reversed())
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    /** The name with its numbers padded, so that 9.10.0 comes after 9.7.2. */
    private static String versionKey(Path path) {
        return NUMBER.matcher(path.getFileName().toString())
                .replaceAll(number -> "0".repeat(Math.max(0, 10 - number.group().length())) + number.group());
    }

    private static boolean hasServer(Path place) {
        return Stream.of("bin", "sbin", "libexec")
                .anyMatch(folder -> Files.isExecutable(place.resolve(folder).resolve("ndb_mgmd")));
    }

    private static Optional<Path> jar(Path place) {
        return inFirst(place, JAR_FOLDERS, NdbInstallation::isJar)
                .max(Comparator.comparing(NdbInstallation::versionKey));
    }

    /** {@code libndbclient.so}, or the newest {@code libndbclient.so.N} when only that is there. */
    private static Optional<Path> library(Path place) {
        return inFirst(place, LIBRARY_FOLDERS, NdbInstallation::isLibrary)
                .min(Comparator.comparing((Path p) -> p.getFileName().toString().length())
                        .thenComparing(Comparator.reverseOrder()));
    }

    /** The files wanted in the first of the folders that has any. */
    private static Stream<Path> inFirst(Path place, List<String> folders, Predicate<String> wanted) {
        return folders.stream()
                .map(folder -> files(place.resolve(folder), wanted))
                .filter(found -> !found.isEmpty())
                .findFirst()
                .stream()
                .flatMap(List::stream);
    }

    private static List<Path> files(Path folder, Predicate<String> wanted) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(file -> wanted.test(file.getFileName().toString()))
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
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
