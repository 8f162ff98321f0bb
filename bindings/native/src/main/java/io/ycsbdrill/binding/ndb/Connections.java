package io.ycsbdrill.binding.ndb;

import io.ycsbdrill.binding.ndb.client.NdbConnection;
import io.ycsbdrill.binding.ndb.client.NdbException;
import io.ycsbdrill.binding.ndb.client.NdbSession;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The connections that the threads of a process share, from one connect to the loss of the cluster. Thread-safe. */
final class Connections implements AutoCloseable {
    private final List<NdbConnection> connections;
    private final String database;
    private final AtomicInteger next = new AtomicInteger();

    private Connections(List<NdbConnection> connections, String database) {
        this.connections = List.copyOf(connections);
        this.database = database;
    }

    /** Opens one connection. */
    interface Connector {
        NdbConnection connect() throws NdbException;
    }

    /** Opens all connections, or none. */
    static Connections open(int count, String database, Connector connector) throws NdbException {
        List<NdbConnection> opened = new ArrayList<>();
        try {
            while (opened.size() < count) {
                opened.add(connector.connect());
            }
            return new Connections(opened, database);
        } catch (Throwable e) {
            opened.forEach(NdbConnection::close);
            throw e;
        }
    }

    NdbConnection first() {
        return connections.get(0);
    }

    List<Integer> nodeIds() {
        return connections.stream().map(NdbConnection::nodeId).toList();
    }

    /** Opens sessions on the connections in turn. */
    NdbSession session() throws NdbException {
        return connections
                .get(Math.floorMod(next.getAndIncrement(), connections.size()))
                .session(database);
    }

    @Override
    public void close() {
        connections.forEach(NdbConnection::close);
    }
}
