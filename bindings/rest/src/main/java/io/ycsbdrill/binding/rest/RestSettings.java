package io.ycsbdrill.binding.rest;

import io.ycsbdrill.binding.BindingProperties;
import io.ycsbdrill.binding.rest.dialect.Dialect;
import io.ycsbdrill.binding.rest.dialect.DialectName;
import io.ycsbdrill.binding.rest.http.HttpSettings;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import site.ycsb.DBException;

/**
 * The binding's properties, checked. {@code docs/rest.md} explains each.
 *
 * @param dialect the requests and replies of the servers
 * @param http how the servers are connected to
 */
record RestSettings(Dialect dialect, HttpSettings http) {

    /**
     * @param environment where the variables that hold secrets are looked up
     * @throws DBException naming every invalid property
     */
    static RestSettings of(Properties given, Map<String, String> environment) throws DBException {
        BindingProperties p = new BindingProperties(given);
        Dialect dialect = p.choice("rest.dialect", DialectName.IGNITE).dialect(p);
        RestSettings settings =
                new RestSettings(dialect, HttpSettings.of(p, environment, dialect.defaultTimeout(), dialect::headers));
        p.refuseUnusedTimeToLive();
        p.check("rest.");
        return settings;
    }

    /**
     * How a server is asked to prepare the table: with the dialect's own timeout when {@code rest.timeout} is shorter, which is
     * meant for operations; to create a table may take much longer. A dialect that creates none has no reason to wait longer, and
     * neither has one whose server does not answer a first question within {@code rest.timeout}.
     */
    HttpSettings preparing() {
        Duration timeout = dialect.defaultTimeout();
        return !dialect.makesTable() || http.timeout().compareTo(timeout) >= 0
                ? http
                : http.withTimeout(timeout, dialect.headers(timeout));
    }
}
