import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Vector;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;

/** A binding, of the class in {@code bench.binding}, as a YCSB client calls it: by names, maps and iterators. */
final class OurClient implements Bench.Client {
    private final DB db;

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
        own.setProperty("table", "bench");
        db.setProperties(own);
        db.init();
    }

    @Override
    public void insert(String key, byte[][] values) {
        Map<String, ByteIterator> row = new HashMap<>();
        for (int i = 0; i < values.length; i++) {
            row.put("field" + i, new ByteArrayByteIterator(values[i]));
        }
        Bench.require(db.insert("bench", key, row).isOk());
    }

    @Override
    public int read(String key) {
        Map<String, ByteIterator> row = new HashMap<>();
        Bench.require(db.read("bench", key, null, row).isOk());
        int bytes = 0;
        for (ByteIterator value : row.values()) {
            bytes += (int) value.bytesLeft();
        }
        return bytes;
    }

    @Override
    public void update(String key, int field, byte[] value) {
        Map<String, ByteIterator> row = new HashMap<>();
        row.put("field" + field, new ByteArrayByteIterator(value));
        Bench.require(db.update("bench", key, row).isOk());
    }

    @Override
    public void delete(String key) {
        Bench.require(db.delete("bench", key).isOk());
    }

    @Override
    public int scan(String start, int limit) {
        Vector<HashMap<String, ByteIterator>> rows = new Vector<>();
        Bench.require(db.scan("bench", start, limit, null, rows).isOk());
        return rows.size();
    }

    @Override
    public void close() throws Exception {
        db.cleanup();
    }
}
