import com.mysql.clusterj.ClusterJHelper;
import com.mysql.clusterj.DynamicObject;
import com.mysql.clusterj.LockMode;
import com.mysql.clusterj.Session;
import com.mysql.clusterj.SessionFactory;
import java.nio.charset.StandardCharsets;
import java.util.Properties;

/** ClusterJ with nothing around it: one session, one transaction at a time, rows released at once, no maps. */
final class BareClusterJ implements TxBench.Client {
    private static SessionFactory factory;
    private static int users;

    /** The table. */
    public static class Row extends DynamicObject {
        @Override
        public String table() {
            return "benchtx";
        }
    }

    private final Session session;

    BareClusterJ(Properties properties) {
        synchronized (BareClusterJ.class) {
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
    public void begin(String key) {
        session.setPartitionKey(Row.class, bytes(key));
        session.currentTransaction().begin();
    }

    @Override
    public byte[] read(String key) {
        return find(key, LockMode.READ_COMMITTED);
    }

    @Override
    public byte[] readForUpdate(String key) {
        return find(key, LockMode.EXCLUSIVE);
    }

    private byte[] find(String key, LockMode mode) {
        session.setLockMode(mode);
        Row row = session.find(Row.class, bytes(key));
        if (row == null) {
            return null;
        }
        byte[] value = (byte[]) row.get(1);
        session.release(row);
        return value;
    }

    @Override
    public void insert(String key, byte[] value) {
        Row row = session.newInstance(Row.class, bytes(key));
        row.set(1, value);
        session.makePersistent(row);
        session.release(row);
    }

    @Override
    public void update(String key, byte[] value) {
        Row row = session.newInstance(Row.class, bytes(key));
        row.set(1, value);
        session.updatePersistent(row);
        session.release(row);
    }

    @Override
    public void commit() {
        session.currentTransaction().commit();
    }

    @Override
    public void close() {
        session.close();
        synchronized (BareClusterJ.class) {
            if (--users == 0) {
                factory.close();
            }
        }
    }

    private static byte[] bytes(String key) {
        return key.getBytes(StandardCharsets.UTF_8);
    }
}
