package io.ycsbdrill.binding.jdbc;

import io.ycsbdrill.binding.BindingProperties;
import io.ycsbdrill.binding.Secret;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.IntStream;
import site.ycsb.DBException;

/**
 * The binding's properties, checked. {@code docs/jdbc.md} explains each.
 *
 * @param urls one for each server, in the order given
 * @param driver the driver's class, or empty to take the one that accepts the URL
 * @param fetchSize for scans; 0 leaves it to the driver
 * @param engine the storage engine of a table that the binding makes; empty to choose
 * @param keyType the key's type in such a table; empty to choose
 * @param fieldType the fields' type in such a table; empty to choose
 * @param shards of such a table on CrateDB; 0 leaves it to the server
 * @param replicas of such a table on CrateDB, as in SQL: {@code 1} or {@code 0-1}; empty leaves it to the server
 * @param reads which servers serve them
 * @param remarks what the user should know of properties that have no, or another, effect here
 */
record JdbcSettings(
        List<String> urls,
        Optional<String> driver,
        String user,
        Secret password,
        boolean autoCommit,
        int fetchSize,
        Duration connectTimeout,
        Duration socketTimeout,
        boolean createTable,
        Optional<String> engine,
        Optional<String> keyType,
        Optional<String> fieldType,
        int shards,
        Optional<String> replicas,
        String table,
        int fieldCount,
        int fieldLength,
        String fieldPrefix,
        Reads reads,
        List<String> remarks) {

    /** Which servers may serve the reads of a thread that also writes. */
    enum Reads {
        /** Those that take writes. */
        PRIMARY,
        /** All: what a replica shows may be out of date. */
        ANY
    }

    private static final String TYPE = "[A-Za-z0-9_ (),]{1,100}";
    static final String HOST = "(\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9._-]+)(:\\d{1,5})?";

    JdbcSettings {
        urls = List.copyOf(urls);
        remarks = List.copyOf(remarks);
    }

    /**
     * @param environment where {@code db.passwd.env} is looked up
     * @throws DBException naming every invalid property
     */
    static JdbcSettings of(Properties given, Map<String, String> environment) throws DBException {
        BindingProperties p = new BindingProperties(withoutEmptyPassword(given));
        JdbcUrl url = new JdbcUrl(p.requiredText("db.url", "a JDBC URL, for example jdbc:mysql://host:3306/ycsb"));
        boolean autoCommit = p.flag("jdbc.autocommit", true);
        int fetchSize = p.integer("jdbc.fetchsize", 0, 0, 1_000_000);
        JdbcSettings settings = new JdbcSettings(
                urls(p, url),
                p.optionalText("db.driver"),
                p.text("db.user", ""),
                p.secret("db.passwd", environment).orElse(new Secret("")),
                autoCommit,
                fetchSize,
                p.duration("db.connect.timeout", Duration.ofSeconds(5), Duration.ofMillis(100), Duration.ofMinutes(10)),
                p.duration("db.socket.timeout", Duration.ofSeconds(30), Duration.ofMillis(100), Duration.ofHours(1)),
                p.flag("db.table.create", true),
                p.optionalText("db.table.engine"),
                p.optionalText("db.table.keytype"),
                p.optionalText("db.table.fieldtype"),
                p.integer("db.table.shards", 0, 0, 1000),
                p.optionalText("db.table.replicas"),
                p.text("table", "usertable"),
                p.integer("fieldcount", 10, 1, 1000),
                p.integer("fieldlength", 100, 1, 1 << 30),
                p.text("fieldnameprefix", "field"),
                p.choice("db.reads", Reads.PRIMARY),
                remarks(p, url, autoCommit, fetchSize > 0));
        checkUrl(p, url, settings.autoCommit);
        settings.engine
                .filter(e -> !e.matches("[A-Za-z0-9_]{1,60}"))
                .ifPresent(e -> p.problem("db.table.engine", e, "the name of a storage engine"));
        settings.keyType.filter(t -> !t.matches(TYPE)).ifPresent(t -> p.problem("db.table.keytype", t, "an SQL type"));
        settings.fieldType
                .filter(t -> !t.matches(TYPE))
                .ifPresent(t -> p.problem("db.table.fieldtype", t, "an SQL type"));
        settings.replicas
                .filter(r -> !r.matches("\\d{1,3}(-(\\d{1,3}|all))?"))
                .ifPresent(r -> p.problem("db.table.replicas", r, "a number or a range, as 1 or 0-1"));
        p.refuseUnusedTimeToLive();
        p.check("db.", "jdbc.");
        return settings;
    }

    /** Which of the drivers' ways the servers are reached. */
    JdbcUrl url(int server) {
        return new JdbcUrl(urls.get(server));
    }

    List<JdbcUrl> servers() {
        return urls.stream().map(JdbcUrl::new).toList();
    }

    boolean mysql() {
        return url(0).isMysql();
    }

    /** The names of the workload's fields, in order. */
    List<String> fieldNames() {
        return IntStream.range(0, fieldCount).mapToObj(i -> fieldPrefix + i).toList();
    }

    /** Remarks on properties of the stock binding that have less effect here than its users may expect. */
    private static List<String> remarks(BindingProperties p, JdbcUrl url, boolean autoCommit, boolean byPortions) {
        List<String> remarks = new ArrayList<>();
        // The client, which makes the batches, reads the size; there is one way to send them.
        int batch = p.integer("db.batchsize", 1, -1, 10_000);
        if (p.flag("jdbc.batchupdateapi", false)) {
            remarks.add("jdbc.batchupdateapi=true has no effect: "
                    + (batch > 1
                            ? "the rows of a batch are sent as one INSERT, which needs neither addBatch nor the driver's rewriting"
                            : "db.batchsize sets how many rows a load sends together"));
        }
        if (byPortions && url.isConnectorJ() && !url.parameter("useCursorFetch").equals(Optional.of("true"))) {
            remarks.add("jdbc.fetchsize has no effect: Connector/J honours it only with useCursorFetch=true in db.url");
        }
        if (byPortions && url.isPostgresql() && autoCommit) {
            remarks.add("jdbc.fetchsize has no effect: PostgreSQL's driver honours it only with jdbc.autocommit=false");
        }
        if (!autoCommit && batch > 1) {
            remarks.add(
                    "jdbc.autocommit=false: each batch is committed on its own, not at the end as in the stock binding");
        }
        return remarks;
    }

    private static List<String> urls(BindingProperties p, JdbcUrl url) {
        List<String> hosts = p.list("db.hosts", List.of());
        if (hosts.isEmpty()) {
            return List.of(url.text());
        }
        List<String> urls = new ArrayList<>();
        for (String host : hosts) {
            Optional<JdbcUrl> there = url.at(host);
            if (!host.matches(HOST)) {
                p.problem("db.hosts", host, "servers as host:port[,host:port]");
            } else if (there.isEmpty() || url.balances()) {
                p.problem(
                        "db.hosts",
                        host,
                        "a db.url of the form jdbc:mysql://host:port/database beside it, in which"
                                + " each of the hosts takes the server's place");
                break;
            } else {
                urls.add(there.get().text());
            }
        }
        if (new HashSet<>(urls).size() < urls.size()) {
            p.problem("db.hosts", String.join(",", hosts), "each server once");
        }
        return urls.isEmpty() ? List.of(url.text()) : urls;
    }

    private static void checkUrl(BindingProperties p, JdbcUrl url, boolean autoCommit) {
        if (url.hasCredentials()) {
            p.problem(
                    "db.url",
                    url.shown(),
                    "a URL without user and password, which end up in logs; use db.user and"
                            + " db.passwd, db.passwd.env or db.passwd.file");
        }
        if (url.text().contains(";jdbc:")) {
            p.problem(
                    "db.url",
                    url.shown(),
                    "one URL: rows are not distributed over databases; for several servers of one"
                            + " database use db.hosts");
        }
        if (url.parameter("useAffectedRows").filter("true"::equalsIgnoreCase).isPresent()) {
            p.problem(
                    "db.url",
                    url.shown(),
                    "no useAffectedRows=true: an update that sets the same values would count"
                            + " as one of a missing row");
        }
        boolean serverPrepared = url.parameter("useServerPrepStmts")
                .map("true"::equalsIgnoreCase)
                .orElse(true);
        if (url.balances() && serverPrepared && !autoCommit) {
            p.problem(
                    "db.url",
                    url.shown(),
                    "not this together with jdbc.autocommit=false and server-side prepared"
                            + " statements: Connector/J then leaves a prepared statement on one server and sends the commit to"
                            + " another, so that rows reported as stored are lost. Use db.hosts, jdbc.autocommit=true, or"
                            + " useServerPrepStmts=false in the URL");
        }
    }

    /** Many servers accept an empty password. */
    private static Properties withoutEmptyPassword(Properties given) {
        if (!"".equals(given.getProperty("db.passwd"))) {
            return given;
        }
        Properties copy = new Properties();
        given.stringPropertyNames().stream()
                .filter(key -> !key.equals("db.passwd"))
                .forEach(key -> copy.setProperty(key, given.getProperty(key)));
        return copy;
    }
}
