import com.mysql.clusterj.ClusterJHelper;
import com.mysql.clusterj.DynamicObject;
import com.mysql.clusterj.Query;
import com.mysql.clusterj.Session;
import com.mysql.clusterj.SessionFactory;
import com.mysql.clusterj.query.QueryBuilder;
import com.mysql.clusterj.query.QueryDomainType;
import java.nio.charset.StandardCharsets;
import java.util.Properties;

/** ClusterJ with nothing around it: one session, rows released at once, no maps, no names, no checks but the result's. */
final class ClusterJClient implements Bench.Client {
    private static SessionFactory factory;
    private static int users;

    /** The table. */
    public static class Row extends DynamicObject {
        @Override
        public String table() {
            return "bench";
        }
    }

    private final Session session;

    ClusterJClient(Properties properties) {
        synchronized (ClusterJClient.class) {
            if (users++ == 0) {
                Properties own = new Properties();
                own.setProperty("com.mysql.clusterj.connectstring", properties.getProperty("ndb.connectstring"));
                own.setProperty("com.mysql.clusterj.database", properties.getProperty("ndb.database", "ycsb"));
                factory = ClusterJHelper.getSessionFactory(own);
            }
            session = factory.getSession();
        }
    }

    @Override
    public void insert(String key, byte[][] values) {
        Row row = session.newInstance(Row.class, bytes(key));
        for (int i = 0; i < values.length; i++) {
            row.set(i + 1, values[i]);
        }
        session.makePersistent(row);
        session.release(row);
    }

    @Override
    public int read(String key) {
        Row row = session.find(Row.class, bytes(key));
        int bytes = bytes(row);
        session.release(row);
        return bytes;
    }

    @Override
    public void update(String key, int field, byte[] value) {
        Row row = session.newInstance(Row.class, bytes(key));
        row.set(field + 1, value);
        session.updatePersistent(row);
        session.release(row);
    }

    @Override
    public void delete(String key) {
        session.deletePersistent(Row.class, bytes(key));
    }

    @Override
    public int scan(String start, int limit) {
        QueryBuilder builder = session.getQueryBuilder();
        QueryDomainType<Row> type = builder.createQueryDefinition(Row.class);
        type.where(type.get("YCSB_KEY").greaterEqual(type.param("start")));
        Query<Row> query = session.createQuery(type);
        query.setParameter("start", bytes(start));
        query.setLimits(0, limit);
        query.setOrdering(Query.Ordering.ASCENDING, "YCSB_KEY");
        int rows = 0;
        for (Row row : query.getResultList()) {
            Bench.require(bytes(row) == Bench.FIELDS * Bench.LENGTH);
            session.release(row);
            rows++;
        }
        return rows;
    }

    @Override
    public void close() {
        session.close();
        synchronized (ClusterJClient.class) {
            if (--users == 0) {
                factory.close();
            }
        }
    }

    private static int bytes(Row row) {
        int bytes = 0;
        for (int i = 1; i <= Bench.FIELDS; i++) {
            bytes += ((byte[]) row.get(i)).length;
        }
        return bytes;
    }

    private static byte[] bytes(String key) {
        return key.getBytes(StandardCharsets.UTF_8);
    }
}
