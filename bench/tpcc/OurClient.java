import io.ycsbdrill.binding.Transactions;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/** A binding, of the class in {@code bench.binding}, as the workload calls it: by names, maps and iterators. */
final class OurClient implements TxBench.Client {
    private static final Set<String> ROW = Set.of("field0");

    private final DB db;
    private final Transactions transactions;

    OurClient(Properties properties) throws Exception {
        db = (DB) Class.forName(properties.getProperty("bench.binding"))
                .getConstructor()
                .newInstance();
        Properties own = new Properties();
        for (String name : properties.stringPropertyNames()) {
            if (name.matches("(ndb|db|jdbc)[.].*")) {
                own.setProperty(name, properties.getProperty(name));
            }
        }
        own.setProperty("table", TxBench.TABLE);
        own.setProperty("fieldcount", "2");
        own.setProperty("fieldlength", "1000");
        db.setProperties(own);
        db.init();
        transactions = (Transactions) db;
    }

    @Override
    public void begin(String key) {
        done(transactions.begin(TxBench.TABLE, key));
    }

    @Override
    public byte[] read(String key) {
        Map<String, ByteIterator> values = new HashMap<>();
        return row(db.read(TxBench.TABLE, key, ROW, values), values);
    }

    @Override
    public byte[] readForUpdate(String key) {
        Map<String, ByteIterator> values = new HashMap<>();
        return row(transactions.readForUpdate(TxBench.TABLE, key, ROW, values), values);
    }

    @Override
    public void insert(String key, byte[] row) {
        done(db.insert(TxBench.TABLE, key, values(row)));
    }

    @Override
    public void update(String key, byte[] row) {
        done(db.update(TxBench.TABLE, key, values(row)));
    }

    @Override
    public void commit() {
        done(transactions.commit());
    }

    @Override
    public void close() throws Exception {
        db.cleanup();
    }

    private static Map<String, ByteIterator> values(byte[] row) {
        Map<String, ByteIterator> values = new HashMap<>();
        values.put("field0", new ByteArrayByteIterator(row));
        return values;
    }

    private static byte[] row(Status status, Map<String, ByteIterator> values) {
        if (Status.NOT_FOUND.equals(status)) {
            return null;
        }
        done(status);
        return values.get("field0").toArray();
    }

    private static void done(Status status) {
        if (!status.isOk()) {
            throw new IllegalStateException(status.toString());
        }
    }
}
