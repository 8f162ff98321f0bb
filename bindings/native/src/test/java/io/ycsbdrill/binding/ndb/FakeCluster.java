package io.ycsbdrill.binding.ndb;

import io.ycsbdrill.binding.ndb.client.ColumnSet;
import io.ycsbdrill.binding.ndb.client.ColumnShape;
import io.ycsbdrill.binding.ndb.client.ColumnShape.Kind;
import io.ycsbdrill.binding.ndb.client.NdbConnection;
import io.ycsbdrill.binding.ndb.client.NdbException;
import io.ycsbdrill.binding.ndb.client.NdbFailure;
import io.ycsbdrill.binding.ndb.client.NdbRows;
import io.ycsbdrill.binding.ndb.client.NdbSession;
import io.ycsbdrill.binding.ndb.client.NdbTableShape;
import io.ycsbdrill.binding.ndb.client.TableDefinition;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** A cluster that answers as it is told, and counts what is open. */
final class FakeCluster {
    static final NdbFailure CLUSTER_FAILURE = new NdbFailure(4009, 3, 11, "Cluster Failure", true);

    final AtomicInteger openConnections = new AtomicInteger();
    final AtomicInteger openSessions = new AtomicInteger();
    final AtomicInteger lookups = new AtomicInteger();

    /** The answer to each operation; null is success. */
    volatile NdbFailure answer;

    volatile boolean reachable = true;

    static NdbTableShape shape() {
        return new NdbTableShape(
                "t",
                List.of(
                        column("YCSB_KEY", 0, Kind.SHORT_VARIABLE, 20, "binary", true),
                        column("FIELD0", 1, Kind.SHORT_VARIABLE, 100, "binary", false),
                        column("Field1", 2, Kind.LONG_VARIABLE, 300, "latin1", false)),
                4);
    }

    static ColumnShape column(String name, int number, Kind kind, int capacity, String charset, boolean key) {
        String java = charset.equals("binary") ? null : charset.equals("ucs2") ? "UTF-16BE" : "ISO-8859-1";
        return new ColumnShape(name, number, kind, capacity, charset, java, key, false);
    }

    NdbConnection connect() throws NdbException {
        if (!reachable) {
            throw new NdbException("no", new NdbFailure(1101, 1, 0, "Cluster not ready", false));
        }
        openConnections.incrementAndGet();
        return new Connection();
    }

    private final class Connection implements NdbConnection {
        private boolean closed;

        @Override
        public int nodeId() {
            return 7;
        }

        @Override
        public Optional<NdbTableShape> table(String database, String table) {
            return Optional.of(shape());
        }

        @Override
        public void createTable(String database, TableDefinition definition) {
            throw new UnsupportedOperationException();
        }

        @Override
        public NdbSession session(String database) {
            if (closed) {
                throw new IllegalStateException("a session on a closed connection");
            }
            openSessions.incrementAndGet();
            return new Session();
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                openConnections.decrementAndGet();
            }
        }
    }

    private final class Session implements NdbSession, NdbRows {
        private boolean closed;

        @Override
        public NdbRows rows(String table) {
            lookups.incrementAndGet();
            return this;
        }

        @Override
        public void forget(String table) {}

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                openSessions.decrementAndGet();
            }
        }

        @Override
        public NdbTableShape shape() {
            return FakeCluster.shape();
        }

        @Override
        public int partition(byte[] key) {
            return key.length;
        }

        @Override
        public NdbFailure read(byte[] key, ColumnSet columns, byte[][] values) {
            return answer;
        }

        @Override
        public NdbFailure readNearest(byte[] key, ColumnSet columns, byte[][] values) {
            return answer;
        }

        @Override
        public NdbFailure begin(byte[] key) {
            return answer;
        }

        @Override
        public NdbFailure readForUpdate(byte[] key, ColumnSet columns, byte[][] values) {
            return answer;
        }

        @Override
        public NdbFailure commit() {
            return answer;
        }

        @Override
        public void abort() {}

        @Override
        public NdbFailure insert(byte[] key, byte[][] values) {
            return answer;
        }

        @Override
        public NdbFailure insertAll(List<byte[]> keys, List<byte[][]> values, NdbFailure... failures) {
            return answer;
        }

        @Override
        public NdbFailure update(byte[] key, byte[][] values) {
            return answer;
        }

        @Override
        public NdbFailure delete(byte[] key) {
            return answer;
        }

        @Override
        public NdbFailure scan(byte[] lowest, int limit, int batch, ColumnSet columns, List<byte[][]> rows) {
            return answer;
        }
    }
}
