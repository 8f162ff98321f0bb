package io.ycsbdrill.base;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * An installation of MySQL NDB Cluster or RonDB: a tarball's tree ({@code bin}, {@code lib}, {@code share/java}) or the root
 * of packages ({@code /usr} with {@code sbin}, {@code lib64/mysql}, {@code lib/<arch>}, {@code share/mysql/java}). Immutable.
 *
 * @param root top of the tree
 */
public record NdbHome(Path root) {
    private static final List<String> BIN = List.of("bin", "sbin", "libexec");
    /** Where the client library may be. */
    public static final List<String> LIB =
            List.of("lib", "lib64", "lib/mysql", "lib64/mysql", "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu");
    /** Where the jars may be. */
    public static final List<String> JAVA = List.of("share/java", "share/mysql/java", "share/mysql-cluster/java");
    /** Where packages of a distribution are. */
    public static final List<Path> PACKAGES = List.of(Path.of("/usr"), Path.of("/usr/local/mysql"));

    /** What a program needs to be there for; {@link #missing} lists those that are not. */
    private static final List<String> CLUSTER_PROGRAMS = List.of("ndb_mgmd", "ndbmtd");

    /**
     * Looks for an installation: the option {@code ndb.home}, then {@code NDB_HOME}, then the newest one that
     * {@code bin/install-ndb} put into {@code ${XDG_CACHE_HOME:-~/.cache}/ycsb-drill/ndb}, then packages under {@code /usr}.
     * A place that was named is taken even when it is no installation, so that the mistake is reported, not passed over;
     * any other needs a management server, or ClusterJ with its library.
     *
     * @param option value of {@code ndb.home}, null when it is not given
     * @param environment as of {@link System#getenv()}
     */
    public static Optional<NdbHome> find(String option, Map<String, String> environment) {
        return find(option, environment, PACKAGES);
    }

    /** As {@link #find(String, Map)}, with other places for packages. */
    public static Optional<NdbHome> find(String option, Map<String, String> environment, List<Path> packages) {
        return named(option, environment).or(() -> places(option, environment, packages).stream()
                .filter(NdbHome::holdsSomething)
                .findFirst());
    }

    /** The places that are looked into, in this order, whatever is there. */
    public static List<NdbHome> places(String option, Map<String, String> environment, List<Path> packages) {
        return named(option, environment).map(List::of).orElseGet(() -> Stream.concat(
                        ProgramTree.newestFirst(cache(environment)).stream(), packages.stream())
                .map(NdbHome::new)
                .toList());
    }

    /** The place named by option or environment, whatever is there. */
    public static Optional<NdbHome> named(String option, Map<String, String> environment) {
        return ProgramTree.named(option, environment, "NDB_HOME").map(NdbHome::new);
    }

    /** Whether a server or a client could be run from here. */
    public boolean holdsSomething() {
        return program("ndb_mgmd").isPresent()
                || clientLibrary().isPresent() && clusterj().isPresent();
    }

    /** Where {@code bin/install-ndb} puts installations, one folder per version. */
    public static Path cache(Map<String, String> environment) {
        return ProgramTree.cache("ndb", environment);
    }

    /** A program of the installation by name, for example {@code ndbmtd}. */
    public Optional<Path> program(String name) {
        return BIN.stream()
                .map(folder -> root.resolve(folder).resolve(name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** The client library {@code libndbclient.so}, or the newest {@code libndbclient.so.N} when only that is there. */
    public Optional<Path> clientLibrary() {
        return inFirst(LIB, name -> name.matches("libndbclient\\.(so(\\.\\d+)*|dylib)"))
                .min(Comparator.comparing((Path p) -> p.getFileName().toString().length())
                        .thenComparing(Comparator.reverseOrder()));
    }

    /** The ClusterJ jar; it holds {@code com.mysql.ndbjtie} as well. */
    public Optional<Path> clusterj() {
        return inFirst(
                        JAVA,
                        name -> name.startsWith("clusterj")
                                && name.endsWith(".jar")
                                && !name.matches(".*-(api|test|sources|javadoc)\\b.*"))
                .max(Comparator.comparing(
                        jar -> ProgramTree.versionKey(jar.getFileName().toString())));
    }

    /** The files wanted in the first of the folders that has any. */
    private Stream<Path> inFirst(List<String> folders, Predicate<String> wanted) {
        return folders.stream()
                .map(folder -> files(root.resolve(folder), wanted))
                .filter(found -> !found.isEmpty())
                .findFirst()
                .stream()
                .flatMap(List::stream);
    }

    private static List<Path> files(Path folder, Predicate<String> wanted) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        return Io.or(List.of(), () -> Io.list(folder).stream()
                .filter(p -> wanted.test(p.getFileName().toString()))
                .toList());
    }

    /** What a cluster on this machine lacks here, as readable names; empty when everything is there. */
    public List<String> missing(boolean sqlNodes) {
        List<String> missing = new ArrayList<>();
        for (String program : CLUSTER_PROGRAMS) {
            if (program(program).isEmpty()) {
                missing.add(program);
            }
        }
        if (sqlNodes && program("mysqld").isEmpty()) {
            missing.add("mysqld");
        }
        return missing;
    }
}
