package io.ycsbdrill.fault.node.cratedb;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.fault.node.kit.ClusterPlan;
import io.ycsbdrill.fault.node.os.RunAs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Collectors;

/** The configuration files of a local cluster's nodes. Stateless. */
final class CrateDbConfig {
    /** Places of a node's ports. */
    static final int HTTP = 0;

    static final int SQL = 1;
    private static final int TRANSPORT = 2;
    /** How many these are. */
    static final int PORTS = 3;

    /**
     * Writes the nodes' files, and what they share of the installation.
     *
     * @param user whose rights the servers have
     */
    static void write(CrateDbHome home, CrateDbJdk jdk, RunAs user, ClusterPlan<CrateDbOptions> plan)
            throws IOException {
        CrateDbFiles files = new CrateDbFiles(plan.directory());
        user.admit(files.directory());
        // The script takes the JDK that stands beside it; the installation itself is not touched.
        Path script = files.home().resolve("bin/crate");
        Files.createDirectories(script.getParent());
        Files.copy(home.script(), script);
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        for (String part : List.of("lib", "plugins")) {
            if (Files.isDirectory(home.root().resolve(part))) {
                Files.createSymbolicLink(
                        files.home().resolve(part), home.root().resolve(part).toRealPath());
            }
        }
        Files.createSymbolicLink(files.home().resolve("jdk"), jdk.home());
        for (String node : plan.nodes()) {
            Files.createDirectories(files.configuration(node));
            Files.createDirectories(files.data(node));
            Files.createDirectories(files.logs(node));
            Files.writeString(files.configuration(node).resolve("crate.yml"), node(files, plan, node));
            Files.writeString(files.configuration(node).resolve("log4j2.properties"), logging());
            Files.setPosixFilePermissions(files.node(node), PosixFilePermissions.fromString("rwx------"));
            user.own(files.node(node));
        }
        user.check(
                List.of(script, files.home().resolve("lib"), files.home().resolve("jdk/bin/java")),
                files.data(plan.nodes().get(0)));
    }

    /** {@code crate.yml} of a node. */
    static String node(CrateDbFiles files, ClusterPlan<CrateDbOptions> plan, String node) {
        int members = plan.options().nodes();
        String seeds = plan.nodes().stream()
                .map(each -> "\"" + plan.address(each) + ":" + plan.port(each, TRANSPORT) + "\"")
                .collect(Collectors.joining(", "));
        return Formatted.of(
                """
                cluster.name: ycsb
                node.name: %s
                network.host: %s
                http.port: %d
                psql.port: %d
                transport.tcp.port: %d
                path.data: "%s"
                path.logs: "%s"
                discovery.seed_hosts: [%s]
                cluster.initial_master_nodes: [%s]
                gateway.expected_data_nodes: %d
                gateway.recover_after_data_nodes: %d
                # Anyone with an account on this machine; nobody from elsewhere.
                auth.host_based.enabled: true
                auth.host_based.config: {0: {user: crate, address: 127.0.0.0/8, method: trust}}
                # How full this machine's disk is must not decide where copies may be.
                cluster.routing.allocation.disk.threshold_enabled: false
                # Its engine for JavaScript takes a large part of the start.
                lang.js.enabled: false
                """,
                node,
                plan.address(node),
                plan.port(node, HTTP),
                plan.port(node, SQL),
                plan.port(node, TRANSPORT),
                files.data(node),
                files.logs(node),
                seeds,
                String.join(", ", plan.nodes().subList(0, members)),
                members,
                members / 2 + 1);
    }

    /** A log in one file, in UTC to the millisecond, in which the recoveries of copies are told from their begin on. */
    static String logging() {
        return """
                status = error
                rootLogger.level = info
                rootLogger.appenderRef.file.ref = file
                logger.recovery.name = org.elasticsearch.indices.recovery.PeerRecoveryTargetService
                logger.recovery.level = trace
                appender.file.type = File
                appender.file.name = file
                appender.file.fileName = ${sys:es.logs.base_path}/node.log
                appender.file.layout.type = PatternLayout
                appender.file.layout.pattern = [%d{yyyy-MM-dd'T'HH:mm:ss.SSS'Z'}{UTC}][%-5p][%c{1}] %m%n
                """;
    }
}
