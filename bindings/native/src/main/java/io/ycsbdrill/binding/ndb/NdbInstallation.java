package io.ycsbdrill.binding.ndb;

import io.ycsbdrill.base.NdbHome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An NDB Cluster or RonDB installation with the two files that a client needs. Found, in this order: where
 * {@code ndb.home} says; where the environment's {@code NDB_HOME} says; the newest version below
 * {@code ${XDG_CACHE_HOME:-~/.cache}/ycsb-drill/ndb}, where {@code bin/install-ndb} puts it; where the packages of Debian,
 * Ubuntu, Red Hat and SUSE put it. A place that was named is the only one looked into, so that a mistake is reported. See
 * {@link NdbHome}, by which the fault injector comes to the same place.
 *
 * @param home the folder that was looked into; {@code /usr} for packages
 * @param jar ClusterJ's jar, which also holds the Java declarations of the NDB API
 * @param library {@code libndbclient}
 */
record NdbInstallation(Path home, Path jar, Path library) {
    private static final Pattern VERSION = Pattern.compile("(\\d+\\.\\d+\\.\\d+)");

    /**
     * Looks for an installation.
     *
     * @param home the value of {@code ndb.home}; then nothing else is looked at
     * @param environment as of {@link System#getenv()}
     * @throws NotFoundException saying what was looked for and where, and what to do
     */
    static NdbInstallation find(Optional<Path> home, Map<String, String> environment) throws NotFoundException {
        return find(home, environment, NdbHome.PACKAGES);
    }

    static NdbInstallation find(Optional<Path> home, Map<String, String> environment, List<Path> packages)
            throws NotFoundException {
        String named = home.map(Path::toString).orElse(null);
        List<String> looked = new ArrayList<>();
        for (NdbHome place : NdbHome.places(named, environment, packages)) {
            Optional<Path> jar = place.clusterj();
            Optional<Path> library = place.clientLibrary();
            if (jar.isPresent() && library.isPresent()) {
                return new NdbInstallation(place.root(), jar.get(), library.get());
            }
            looked.add(place.root() + " ("
                    + (!Files.isDirectory(place.root())
                            ? "no such folder"
                            : jar.isEmpty() && library.isEmpty()
                                    ? "neither"
                                    : jar.isEmpty() ? "no clusterj*.jar" : "no libndbclient")
                    + ")");
            if (place.program("ndb_mgmd").isPresent()) {
                break; // this is the installation, and it lacks something
            }
        }
        throw new NotFoundException("no NDB client found: looked for clusterj*.jar in "
                + String.join(", ", NdbHome.JAVA)
                + " and for libndbclient in " + String.join(", ", NdbHome.LIB) + " below "
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
}
