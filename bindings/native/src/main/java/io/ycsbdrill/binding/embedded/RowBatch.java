package io.ycsbdrill.binding.embedded;

import io.ycsbdrill.binding.BulkInserts.Row;
import io.ycsbdrill.binding.FieldCodec;
import io.ycsbdrill.binding.Statuses;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import javax.cache.processor.EntryProcessorException;
import javax.cache.processor.EntryProcessorResult;
import org.apache.ignite.client.ClientCache;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import site.ycsb.Status;

/** Rows that are inserted by one request. Used once. */
final class RowBatch {
    private static final Logger LOG = LoggerFactory.getLogger(RowBatch.class);

    private final List<Row> rows;
    /** In one order for all threads: a node locks the keys in it. */
    private final SortedMap<String, byte[]> encoded = new TreeMap<>();

    private final Map<String, Status> statuses = new HashMap<>();

    /** @param rows at least one */
    RowBatch(List<Row> rows) {
        this.rows = rows;
        rows.forEach(row -> encoded.put(row.key(), FieldCodec.encode(row.values())));
    }

    String firstKey() {
        return encoded.firstKey();
    }

    /** @param denied what became of rows whose keys are said to be there already */
    Status insert(ClientCache<String, byte[]> cache, Supplier<Status> denied) {
        boolean refused = false;
        for (Map.Entry<String, EntryProcessorResult<Boolean>> done :
                cache.invokeAll(encoded.keySet(), new InsertRows(), encoded).entrySet()) {
            Status status = inserted(done.getValue());
            refused |= status == Statuses.DUPLICATE_KEY;
            statuses.put(done.getKey(), status);
        }
        if (refused) {
            Status no = denied.get();
            statuses.replaceAll((key, status) -> status == Statuses.DUPLICATE_KEY ? no : status);
        }
        return Status.OK;
    }

    private static Status inserted(EntryProcessorResult<Boolean> result) {
        try {
            return result.get() ? Status.OK : Statuses.DUPLICATE_KEY;
        } catch (EntryProcessorException e) {
            LOG.debug("a row of a batch failed", e);
            return Statuses.UNKNOWN;
        }
    }

    /** @param request what became of the request; of single rows only when it succeeded */
    List<Status> statuses(Status request) {
        return rows.stream()
                .map(row -> request.isOk() ? statuses.getOrDefault(row.key(), Statuses.UNKNOWN) : request)
                .toList();
    }
}
