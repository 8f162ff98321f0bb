package io.ycsbdrill.client.audit;

import java.util.Map;
import site.ycsb.DB;

/** Connects to the database that is audited. */
public interface Databases {
    /**
     * A new, connected instance of the run's binding; the caller cleans it up.
     *
     * @param changes properties in place of the run's; empty for these as they are
     * @throws Exception when it cannot be reached
     */
    DB connect(Map<String, String> changes) throws Exception;
}
