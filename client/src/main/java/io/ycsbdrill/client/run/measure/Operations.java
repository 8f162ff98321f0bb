package io.ycsbdrill.client.run.measure;

import io.ycsbdrill.rundir.TextFile;
import io.ycsbdrill.workload.WholeOperations;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The operation names of a run and their numbers: the five calls of a binding first, then the whole operations of a workload, then whatever
 * a workload reports. Thread-safe.
 */
public final class Operations {
    public static final int READ = 0;
    public static final int UPDATE = 1;
    public static final int INSERT = 2;
    public static final int SCAN = 3;
    public static final int DELETE = 4;

    /** CoreWorkload's name for a read followed by an update of the same row. */
    public static final String READ_MODIFY_WRITE = "READ-MODIFY-WRITE";

    private static final int CALLS = DELETE + 1;
    private static final int COUNTED = CALLS + WholeOperations.MOST_NAMES;

    private final List<String> names =
            new CopyOnWriteArrayList<>(List.of("READ", "UPDATE", "INSERT", "SCAN", "DELETE"));
    private final ConcurrentHashMap<String, Integer> ids = new ConcurrentHashMap<>();

    public Operations() {
        for (int id = 0; id < CALLS; id++) {
            ids.put(names.get(id), id);
        }
        names.addAll(Collections.nCopies(WholeOperations.MOST_NAMES, ""));
    }

    /**
     * The number of a whole operation; a new name gets the next one.
     *
     * @throws IllegalStateException when there are too many
     */
    public int whole(String name) {
        Integer known = ids.get(name);
        return known != null ? known : addWhole(name);
    }

    private synchronized int addWhole(String name) {
        Integer known = ids.get(name);
        if (known != null) {
            return known;
        }
        int id = names.indexOf("");
        if (id < 0) {
            throw new IllegalStateException("the workload has more than " + WholeOperations.MOST_NAMES
                    + " whole operations; the latest is " + name);
        }
        names.set(id, TextFile.written(name));
        ids.put(name, id);
        return id;
    }

    /** The number of a name; a new name gets the next one. */
    public int id(String name) {
        Integer known = ids.get(name);
        return known != null ? known : add(name);
    }

    private synchronized int add(String name) {
        Integer known = ids.get(name);
        if (known == null) {
            names.add(TextFile.written(name));
            known = names.size() - 1;
            ids.put(name, known);
        }
        return known;
    }

    public String name(int id) {
        return names.get(id);
    }

    /** Whether it is a call of the binding or a whole operation; only those count in totals, the others contain them or are client work. */
    public static boolean isCall(int id) {
        return id < COUNTED;
    }

    /** Whether it could have changed data. */
    public static boolean isWrite(int id) {
        return id == UPDATE || id == INSERT || id >= DELETE && id < COUNTED;
    }
}
