package io.ycsbdrill.client.run.call;

import java.util.Optional;
import java.util.Properties;
import site.ycsb.DBException;

/** What is wrong with properties that only their reader can judge. */
public final class PropertyProblem {
    public interface Reader {
        /** @throws DBException saying everything that is wrong */
        Object read(Properties properties) throws DBException;
    }

    private PropertyProblem() {}

    /** Empty when nothing is. */
    public static Optional<String> of(Reader reader, Properties properties) {
        try {
            reader.read(properties);
            return Optional.empty();
        } catch (DBException e) {
            return Optional.of(e.getMessage());
        }
    }
}
