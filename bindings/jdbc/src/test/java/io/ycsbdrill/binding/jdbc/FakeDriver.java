package io.ycsbdrill.binding.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.Driver;
import java.sql.DriverPropertyInfo;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Logger;

/**
 * A driver that follows a script: servers by host, each up or down, whose table has a key and {@code FIELD0}; every update
 * touches one row and every query finds none, unless a failure is queued. Thread-safe.
 */
public final class FakeDriver implements Driver {
    static final Map<String, Host> HOSTS = new ConcurrentHashMap<>();

    /** A server of the script. */
    static final class Host {
        final List<Connection> open = new CopyOnWriteArrayList<>();
        final List<String> prepared = new CopyOnWriteArrayList<>();
        final List<String> executed = new CopyOnWriteArrayList<>();
        final Queue<SQLException> connectFailures = new ArrayDeque<>();
        final Queue<Exception> executeFailures = new ArrayDeque<>();
        final Queue<SQLException> autoCommitFailures = new ArrayDeque<>();
        final Queue<SQLException> commitFailures = new ArrayDeque<>();
        final Map<String, SQLException> statementFailures = new ConcurrentHashMap<>();
        final Queue<SQLException> closeFailures = new ArrayDeque<>();
        final Queue<SQLException> rollbackFailures = new ArrayDeque<>();
        final List<Integer> networkTimeouts = new CopyOnWriteArrayList<>();
        volatile Properties lastProperties;
        volatile boolean up = true;
        /** Whether it says so when asked, and refuses updates; a server may refuse without saying it. */
        volatile boolean readOnly;

        volatile int connects;
        volatile int updated = 1;
        volatile String product = "fake";
        volatile String version = "fake";
        volatile int[] batchCounts = {};
    }

    static Host host(String name) {
        return HOSTS.computeIfAbsent(name, key -> new Host());
    }

    @Override
    public Connection connect(String url, Properties info) throws SQLException {
        Host host = host(url.replaceAll("jdbc:(?:mysql|postgresql):(?:loadbalance:)?//([^/]*)/.*", "$1"));
        synchronized (host) {
            host.connects++;
            if (!host.up) {
                throw new SQLNonTransientConnectionException("refused", "08S01");
            }
            throwNext(host.connectFailures);
            host.lastProperties = info;
            Connection connection = proxy(Connection.class, new FakeConnection(host));
            host.open.add(connection);
            return connection;
        }
    }

    private static final class FakeConnection implements InvocationHandler {
        private final Host host;
        private boolean autoCommit = true;
        private boolean closed;

        FakeConnection(Host host) {
            this.host = host;
        }

        @Override
        public Object invoke(Object self, Method method, Object[] arguments) throws Throwable {
            switch (method.getName()) {
                case "getAutoCommit":
                    return autoCommit;
                case "setAutoCommit":
                    throwNext(host.autoCommitFailures);
                    autoCommit = (Boolean) arguments[0];
                    return null;
                case "setNetworkTimeout":
                    host.networkTimeouts.add((Integer) arguments[1]);
                    return null;
                case "isClosed":
                    return closed;
                case "close", "abort":
                    closed = true;
                    host.open.remove(self);
                    throwNext(host.closeFailures);
                    return null;
                case "rollback":
                    throwNext(host.rollbackFailures);
                    return null;
                case "commit":
                    throwNext(host.commitFailures);
                    return null;
                case "getMetaData":
                    return proxy(DatabaseMetaData.class, (s, m, a) -> switch (m.getName()) {
                        case "getIdentifierQuoteString" -> "`";
                        case "getDatabaseProductName" -> host.product;
                        case "getDatabaseProductVersion" -> host.version;
                        default -> throw new UnsupportedOperationException(m.getName());
                    });
                case "createStatement":
                    return proxy(Statement.class, this::statement);
                case "prepareStatement":
                    host.prepared.add((String) arguments[0]);
                    return proxy(PreparedStatement.class, (s, m, a) -> prepared((String) arguments[0], m));
                default:
                    return identity(self, method, arguments);
            }
        }

        private Object statement(Object self, Method method, Object[] arguments) throws Exception {
            return switch (method.getName()) {
                case "execute" -> {
                    if (host.statementFailures.containsKey(arguments[0])) {
                        throw host.statementFailures.get(arguments[0]);
                    }
                    executing((String) arguments[0]);
                    yield false;
                }
                case "executeQuery" ->
                    arguments[0].equals("SELECT version()")
                            ? oneText(host.version)
                            : host.readOnly && arguments[0].toString().startsWith("SHOW GLOBAL VARIABLES")
                                    ? oneText("ON")
                                    : emptyResult();
                case "close" -> null;
                default -> throw new UnsupportedOperationException(method.getName());
            };
        }

        private Object prepared(String sql, Method method) throws Exception {
            switch (method.getName()) {
                case "executeUpdate":
                    if (host.readOnly) {
                        throw new SQLException("running with the --read-only option", "HY000", 1290);
                    }
                    executing(sql);
                    return host.updated;
                case "executeQuery":
                    executing(sql);
                    return emptyResult();
                case "executeBatch":
                    executing(sql);
                    return host.batchCounts;
                case "setBytes", "setString", "setInt", "setFetchSize", "addBatch", "clearBatch", "close":
                    return null;
                default:
                    throw new UnsupportedOperationException(method.getName());
            }
        }

        private void executing(String sql) throws Exception {
            if (!host.up) {
                throw new SQLException("Communications link failure", "08S01");
            }
            throwNext(host.executeFailures);
            host.executed.add(sql);
        }
    }

    private static <E extends Exception> void throwNext(Queue<E> failures) throws E {
        E next;
        synchronized (failures) {
            next = failures.poll();
        }
        if (next != null) {
            throw next;
        }
    }

    private static ResultSet oneText(String text) {
        AtomicBoolean more = new AtomicBoolean(true);
        return proxy(ResultSet.class, (self, method, arguments) -> switch (method.getName()) {
            case "next" -> more.getAndSet(false); // one row, the same text in each column
            case "getString" -> text;
            case "close" -> null;
            default -> throw new UnsupportedOperationException(method.getName());
        });
    }

    private static ResultSet emptyResult() {
        return proxy(ResultSet.class, (self, method, arguments) -> switch (method.getName()) {
            case "next" -> false;
            case "close" -> null;
            case "getMetaData" ->
                proxy(ResultSetMetaData.class, (s, m, a) -> switch (m.getName()) {
                    case "getColumnCount" -> 2;
                    case "getColumnName" -> a[0].equals(1) ? "YCSB_KEY" : "FIELD0";
                    case "getColumnType" -> Types.VARBINARY;
                    case "getPrecision" -> 255;
                    default -> throw new UnsupportedOperationException(m.getName());
                });
            default -> throw new UnsupportedOperationException(method.getName());
        });
    }

    private static Object identity(Object self, Method method, Object... arguments) {
        return switch (method.getName()) {
            case "equals" -> self == arguments[0];
            case "hashCode" -> System.identityHashCode(self);
            case "toString" -> "fake connection";
            default -> throw new UnsupportedOperationException(method.getName());
        };
    }

    static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(FakeDriver.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    @Override
    public boolean acceptsURL(String url) {
        return url.startsWith("jdbc:mysql:");
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
        return new DriverPropertyInfo[0];
    }

    @Override
    public int getMajorVersion() {
        return 1;
    }

    @Override
    public int getMinorVersion() {
        return 0;
    }

    @Override
    public boolean jdbcCompliant() {
        return false;
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getGlobal();
    }
}
