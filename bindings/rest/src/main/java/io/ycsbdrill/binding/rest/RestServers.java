package io.ycsbdrill.binding.rest;

import io.ycsbdrill.binding.rest.http.Connector;
import io.ycsbdrill.binding.rest.http.Endpoint;
import io.ycsbdrill.binding.rest.http.Exchange;
import io.ycsbdrill.binding.rest.http.Link;
import io.ycsbdrill.binding.rest.http.LinkFailure;
import io.ycsbdrill.binding.servers.Servers;
import io.ycsbdrill.binding.servers.Shared;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import site.ycsb.DBException;

/** The servers in use in this process, by settings. Thread-safe. */
final class RestServers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RestServers.class);

    static final Shared<RestSettings, RestServers> OPEN = new Shared<>(RestServers::prepared);

    private final RestSettings settings;
    private final Connector connector;
    private final Servers<Endpoint> servers;
    private final AtomicLong seen = new AtomicLong();

    private RestServers(RestSettings settings) throws DBException {
        this.settings = settings;
        this.connector = new Connector(settings.http());
        this.servers = new Servers<>("rest", LOG, settings.http().endpoints(), this::probe);
    }

    private static RestServers prepared(RestSettings settings) throws DBException {
        RestServers made = new RestServers(settings);
        try {
            made.prepare();
        } catch (DBException e) {
            made.close();
            throw e;
        }
        return made;
    }

    /** The first server that answers is asked. */
    private void prepare() throws DBException {
        StringBuilder reasons = new StringBuilder();
        Connector patient = new Connector(settings.preparing());
        for (Endpoint endpoint : settings.http().endpoints()) {
            try (Link link = responding(endpoint, patient)) {
                settings.dialect().prepare(exchange().on(link));
                if (settings.dialect().asksManagement()) {
                    prepareManagement(patient, settings.dialect().management(endpoint));
                }
                return;
            } catch (IOException e) {
                reasons.append("; ").append(endpoint).append(": ").append(Servers.line(e));
            }
        }
        throw new DBException("no server responds as expected" + reasons);
    }

    /** To create a table may take long; a server that does not answer at all is not waited for so long. */
    private Link responding(Endpoint endpoint, Connector patient) throws IOException {
        if (settings.dialect().makesTable()) {
            try {
                probe(endpoint);
            } catch (LinkFailure e) {
                throw e;
            } catch (IOException e) {
                // It has answered, be it that there is no table yet.
                LOG.debug("before the table is prepared: {}", e.getMessage());
            }
        }
        return patient.open(endpoint);
    }

    private void prepareManagement(Connector patient, Endpoint management) throws IOException, DBException {
        try (Link link = patient.open(management)) {
            settings.dialect().prepareManagement(exchange().on(link));
        } catch (IOException e) {
            throw new IOException("it is to be asked at " + management + ", too: " + Servers.line(e), e);
        }
    }

    private void probe(Endpoint endpoint) throws IOException {
        try (Link link = connector.open(endpoint)) {
            settings.dialect().probe(exchange().on(link));
        }
    }

    Exchange exchange() {
        return new Exchange(settings.dialect().statuses(), seen);
    }

    Servers<Endpoint> all() {
        return servers;
    }

    /** Opens a thread's connection. */
    Link open(Endpoint endpoint) throws IOException {
        return connector.open(endpoint);
    }

    @Override
    public void close() {
        servers.close();
    }
}
