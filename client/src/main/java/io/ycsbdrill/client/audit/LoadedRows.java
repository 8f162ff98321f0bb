package io.ycsbdrill.client.audit;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.client.audit.KeyJudge.Verdict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;

/**
 * The rows of the {@link Load}: all of them, or of a large one a sample, the same whenever it is drawn. A row that the run has not written is judged here: it
 * must be there. Thread-safe.
 */
final class LoadedRows {
    /** So many are told from other keys, some 20 MB. */
    static final int MOST_KNOWN = 200_000;
    /** So many are read that the run has not written. */
    static final int MOST_READ = 20_000;

    private final Load load;
    private final Map<String, Long> numbers = new HashMap<>();
    private final Set<String> written = new HashSet<>();
    private final Set<String> read = new HashSet<>();
    private long judged;
    private long missing;

    LoadedRows(Load load) {
        this.load = load;
        Random random = random();
        long known = Math.min(MOST_KNOWN, load.rows());
        for (long i = 0; i < known; i++) {
            long from = load.rows() * i / known;
            long number = load.first() + random.nextLong(from, load.rows() * (i + 1) / known);
            numbers.put(load.key().apply(number), number);
        }
    }

    private Random random() {
        return new Random(load.rows());
    }

    /** The number of a row that is known to have been loaded. */
    OptionalLong number(String key) {
        Long number = numbers.get(key);
        return number == null ? OptionalLong.empty() : OptionalLong.of(number);
    }

    boolean contains(String key) {
        return numbers.containsKey(key);
    }

    /** These, and then rows of the load that are not among them. */
    Iterator<KeyHistory> after(Iterator<KeyHistory> writtenKeys) {
        return new Iterator<>() {
            private Iterator<KeyHistory> rest;

            @Override
            public boolean hasNext() {
                if (writtenKeys.hasNext()) {
                    return true;
                }
                if (rest == null) {
                    rest = rest();
                }
                return rest.hasNext();
            }

            @Override
            public KeyHistory next() {
                if (!hasNext() || rest != null) {
                    return rest.next();
                }
                KeyHistory key = writtenKeys.next();
                if (contains(key.key())) {
                    written.add(key.key());
                }
                return key;
            }
        };
    }

    private synchronized Iterator<KeyHistory> rest() {
        List<String> rest = new ArrayList<>(numbers.keySet().stream()
                .filter(key -> !written.contains(key))
                .sorted()
                .toList());
        Collections.shuffle(rest, random());
        rest = rest.subList(0, Math.min(MOST_READ, rest.size()));
        read.addAll(rest);
        return rest.stream().map(KeyHistory::loaded).iterator();
    }

    /** Takes what was judged of any key. */
    synchronized void judged(String key, Verdict verdict) {
        if (read.contains(key)) {
            judged++;
            missing += verdict.findings().stream().anyMatch(KeyJudge.Lost.class::isInstance) ? 1 : 0;
        }
    }

    /** At least as many as {@link #read} will be. */
    int mostRead() {
        return Math.min(MOST_READ, numbers.size());
    }

    /** How many were to be read, as the run has not written them. */
    synchronized long read() {
        return read.size();
    }

    synchronized long judged() {
        return judged;
    }

    synchronized ObjectNode json() {
        return JsonNodeFactory.instance
                .objectNode()
                .put("rows", load.rows())
                .put("read", read.size())
                .put("missing", missing)
                .put("unreadable", read.size() - judged);
    }
}
