package io.ycsbdrill.binding;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.Vector;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import site.ycsb.ByteIterator;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;

/** The check itself: it passes a sound binding, and finds a failure and a wrong value. */
class StockWorkloadTest {

    @ParameterizedTest
    @ValueSource(strings = {"a", "b", "c", "d", "e", "f"})
    void aSoundBindingPasses(String letter) throws Exception {
        StockWorkload.readsBackWhatItWrote(letter, 50, 200, new Properties(), properties -> new MemoryDb());
    }

    @Test
    void aStatusThatIsNotOkIsFound() {
        assertThatThrownBy(() -> StockWorkload.readsBackWhatItWrote(
                        "a", 50, 200, new Properties(), properties -> new MemoryDb() {
                            @Override
                            public Status update(String table, String key, Map<String, ByteIterator> values) {
                                return Statuses.UNKNOWN;
                            }
                        }))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("UNKNOWN");
    }

    private interface Scan {
        Status scan(
                String table,
                String start,
                int limit,
                Set<String> fields,
                Vector<HashMap<String, ByteIterator>> result);
    }

    /** A binding that is sound but for its scans, which are made of sound ones. */
    private static MemoryDb scanning(UnaryOperator<Scan> change) {
        return new MemoryDb() {
            @Override
            public Status scan(
                    String table,
                    String start,
                    int limit,
                    Set<String> fields,
                    Vector<HashMap<String, ByteIterator>> result) {
                return change.apply(super::scan).scan(table, start, limit, fields, result);
            }
        };
    }

    private static void assertFoundInScans(Properties properties, UnaryOperator<Scan> change, String message) {
        assertThatThrownBy(() ->
                        StockWorkload.readsBackWhatItWrote("e", 50, 200, properties, complete -> scanning(change)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(message);
    }

    @Test
    void aScanWithoutRowsIsFound() {
        assertFoundInScans(
                new Properties(), sound -> (table, start, limit, fields, result) -> Status.OK, ": 0 rows of 1 to ");
    }

    @Test
    void aScanOfTooManyRowsIsFound() {
        Properties few = new Properties();
        few.setProperty("maxscanlength", "10");

        assertFoundInScans(
                few,
                sound -> (table, start, limit, fields, result) -> sound.scan(table, "", limit + 1, fields, result),
                " rows of 1 to ");
    }

    @Test
    void aScanWithoutAllFieldsIsFound() {
        assertFoundInScans(
                new Properties(),
                sound -> (table, start, limit, fields, result) ->
                        sound.scan(table, start, limit, Set.of("field3"), result),
                "a row with [field3] instead of ");
    }

    @Test
    void aWrongValueIsFound() {
        assertThatThrownBy(() -> StockWorkload.readsBackWhatItWrote(
                        "c", 50, 200, new Properties(), properties -> new MemoryDb() {
                            @Override
                            public Status read(
                                    String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
                                Status status = super.read(table, key, fields, result);
                                new HashMap<>(result)
                                        .keySet()
                                        .forEach(field -> result.put(field, new StringByteIterator("wrong")));
                                return status;
                            }
                        }))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("verified rows")
                .hasMessageContaining("UNEXPECTED_STATE");
    }
}
