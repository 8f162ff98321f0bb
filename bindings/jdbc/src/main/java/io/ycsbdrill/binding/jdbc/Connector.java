package io.ycsbdrill.binding.jdbc;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.concurrent.Executor;
import site.ycsb.DBException;

/** Opens connections, always with timeouts. Thread-safe as drivers are. */
final class Connector {
    private final JdbcSettings settings;
    private final Driver driver;
    private final Login login;

    /** @throws DBException when there is no driver for the URL */
    Connector(JdbcSettings settings) throws DBException {
        this.settings = settings;
        this.driver = driver(settings);
        this.login = new Login(settings.connectTimeout().plus(settings.socketTimeout()));
    }

    /** A driver's class name and version. */
    String driverName() {
        return driver.getClass().getName() + " " + driver.getMajorVersion() + "." + driver.getMinorVersion();
    }

    /** @throws SQLException when the server cannot be reached or refuses */
    Connection open(JdbcUrl url) throws SQLException {
        return login.open(() -> connect(url));
    }

    private Connection connect(JdbcUrl url) throws SQLException {
        Connection connection = driver.connect(url.text(), properties(url, settings));
        if (connection == null) {
            throw new SQLException("driver " + driver.getClass().getName() + " does not accept the URL " + url.shown());
        }
        try {
            limitWaiting(connection, url);
            if (connection.getAutoCommit() != settings.autoCommit()) {
                connection.setAutoCommit(settings.autoCommit());
            }
            return connection;
        } catch (Throwable e) {
            connection.close();
            throw e;
        }
    }

    /** Connection properties beside the URL, which takes precedence. Times are in the unit of each driver. */
    static Properties properties(JdbcUrl url, JdbcSettings settings) {
        Properties properties = new Properties();
        if (!settings.user().isEmpty()) {
            properties.setProperty("user", settings.user());
        }
        properties.setProperty("password", settings.password().text());
        long connect = settings.connectTimeout().toMillis();
        long socket = settings.socketTimeout().toMillis();
        if (url.isMysql()) {
            add(properties, url, "connectTimeout", connect);
            add(properties, url, "socketTimeout", socket);
            add(properties, url, "useServerPrepStmts", true);
        }
        if (url.isConnectorJ()) {
            // Failures reach the caller; the driver's own log would print a stack trace for each.
            add(properties, url, "logger", "com.mysql.cj.log.NullLogger");
            // By default a statement that the server does not prepare is run without that, and the error is dropped.
            // When it says that the
            // transaction was rolled back, as Galera's may, the rest of the transaction would be committed without its
            // beginning.
            add(properties, url, "emulateUnsupportedPstmts", false);
        }
        if (url.failsOver() && !url.balances()) {
            // By default writes are refused after a fail-over, and the connection goes back and forth every 50
            // statements.
            add(properties, url, "failOverReadOnly", false);
            add(properties, url, "queriesBeforeRetrySource", 0);
            add(properties, url, "secondsBeforeRetrySource", 0);
        }
        if (url.isPostgresql()) {
            add(properties, url, "connectTimeout", Math.max(1, connect / 1000));
            add(properties, url, "socketTimeout", Math.max(1, socket / 1000));
        }
        return properties;
    }

    /**
     * For drivers whose property for it is not known, and for PostgreSQL's, whose property counts in whole seconds.
     * Here, too, the URL takes precedence.
     */
    private void limitWaiting(Connection connection, JdbcUrl url) throws SQLException {
        if (connection.getClass().getName().startsWith("com.mysql.")
                || settings.mysql()
                || url.parameter("socketTimeout").isPresent()) {
            return;
        }
        Executor here = Runnable::run;
        try {
            connection.setNetworkTimeout(here, (int) settings.socketTimeout().toMillis());
        } catch (SQLFeatureNotSupportedException | AbstractMethodError e) {
            // The driver has no such limit; docs/jdbc.md says so.
        }
    }

    private static void add(Properties properties, JdbcUrl url, String name, Object value) {
        if (url.parameter(name).isEmpty()) {
            properties.setProperty(name, value.toString());
        }
    }

    private static Driver driver(JdbcSettings settings) throws DBException {
        JdbcUrl url = settings.url(0);
        if (settings.driver().isPresent()) {
            String name = settings.driver().get();
            try {
                Object made = Class.forName(name, true, Thread.currentThread().getContextClassLoader())
                        .getDeclaredConstructor()
                        .newInstance();
                if (made instanceof Driver driver) {
                    return driver;
                }
                throw new DBException("db.driver=" + name + " is not a java.sql.Driver");
            } catch (ClassNotFoundException e) {
                throw new DBException("db.driver=" + name + " is not on the class path; give its jar with -cp", e);
            } catch (ReflectiveOperationException | LinkageError e) {
                throw new DBException("db.driver=" + name + " cannot be loaded (" + e + "); give its jar with -cp", e);
            }
        }
        try {
            return DriverManager.getDriver(url.text());
        } catch (SQLException e) {
            throw new DBException(
                    "no JDBC driver on the class path accepts " + url.shown()
                            + "; give the driver's jar with -cp, and its class with -p db.driver=... if it does not"
                            + " register itself",
                    e);
        }
    }
}
