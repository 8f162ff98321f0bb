package io.ycsbdrill.fault.node.cratedb;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The configuration files of a local cluster's nodes. Stateless. */
final class CrateDbConfig {

    private CrateDbConfig() {}

    /** Where a node listens, at its address. */
    record Ports(int http, int sql, int transport) {}

    /**
     * {@code crate.yml} of a node.
     *
     * @param members how many of the nodes make up the cluster at first
     */
    static String node(CrateDbFiles files, List<String> nodes, int members, List<Ports> ports, int index) {
        String node = nodes.get(index);
        Ports own = ports.get(index);
        String seeds = IntStream.range(0, ports.size())
                .mapToObj(i ->
                        "\"" + files.address(nodes.get(i)) + ":" + ports.get(i).transport() + "\"")
                .collect(Collectors.joining(", "));
        return String.format(
                Locale.ROOT,
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
                files.address(node),
                own.http(),
                own.sql(),
                own.transport(),
                files.data(node),
                files.logs(node),
                seeds,
                String.join(", ", nodes.subList(0, members)),
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
