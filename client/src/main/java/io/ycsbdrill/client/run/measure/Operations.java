package io.ycsbdrill.client.run.measure;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** The operation names of a run and their numbers: the five calls of a binding first, then whatever a workload reports. Thread-safe. */
public final class Operations {
    public static final int READ = 0;
    public static final int UPDATE = 1;
    public static final int INSERT = 2;
    public static final int SCAN = 3;
    public static final int DELETE = 4;

    /** CoreWorkload's name for a read followed by an update of the same row. */
    public static final String READ_MODIFY_WRITE = "READ-MODIFY-WRITE";

    private static final int CALLS = DELETE + 1;

    private final List<String> names =
            new CopyOnWriteArrayList<>(List.of("READ", "UPDATE", "INSERT", "SCAN", "DELETE"));
    private final ConcurrentHashMap<String, Integer> ids = new ConcurrentHashMap<>();

    public Operations() {
        for (int id = 0; id < CALLS; id++) {
            ids.put(names.get(id), id);
        }
    }

    /** The number of a name; a new name gets the next one. */
    public int id(String name) {
        Integer known = ids.get(name);
        return known != null ? known : add(name);
    }

    private synchronized int add(String name) {
        Integer known = ids.get(name);
        if (known == null) {
            names.add(name);
            known = names.size() - 1;
            ids.put(name, known);
        }
        return known;
    }

    public String name(int id) {
        return names.get(id);
    }

    /** Whether it is a call of the binding; only those count in totals, the others contain them or are client work. */
    public static boolean isCall(int id) {
        return id < CALLS;
    }

    /** Whether it could have changed data. */
    public static boolean isWrite(int id) {
        return id == UPDATE || id == INSERT || id == DELETE;
    }
}
