package io.ycsbdrill.client.session;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import site.ycsb.workloads.CoreWorkload;

/** Classes as older versions of YCSB, and go-ycsb, name them, in the names of the version that is used here. */
public final class StockNames {
    private static final String OLD = "com.yahoo.ycsb.";

    private StockNames() {}

    /** The present name; empty when it is no old one, or when there is no such class now. */
    public static Optional<String> present(String name) {
        if (name.equals("core")) {
            return Optional.of(CoreWorkload.class.getName());
        }
        return Optional.of(name)
                .filter(old -> old.startsWith(OLD))
                .map(old -> "site.ycsb." + old.substring(OLD.length()))
                .filter(StockNames::exists);
    }

    /** Puts the present names into the properties; a note for each. */
    public static List<String> translate(Properties properties) {
        List<String> notes = new ArrayList<>();
        for (String key : List.of("workload", "db", "exporter")) {
            String old = properties.getProperty(key, "");
            if (key.equals("workload") || !old.equals("core")) {
                present(old).ifPresent(now -> {
                    properties.setProperty(key, now);
                    notes.add("note: " + key + "=" + old + " is now called " + now + ", which is used");
                });
            }
        }
        return notes;
    }

    private static boolean exists(String name) {
        try {
            Class.forName(name, false, Thread.currentThread().getContextClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return name.contains(".measurements.exporter."); // one of those that a class of ours takes the place of
        }
    }
}
