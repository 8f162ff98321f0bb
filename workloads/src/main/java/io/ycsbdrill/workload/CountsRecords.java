package io.ycsbdrill.workload;

import java.util.Properties;
import site.ycsb.WorkloadException;

/** A workload whose other properties say how many records its tables have, so that {@code recordcount} need not be given. */
public interface CountsRecords {
    /**
     * The number of records that a complete load inserts. Called on an object that was not initialised.
     *
     * @throws WorkloadException naming every invalid property
     */
    long records(Properties properties) throws WorkloadException;
}
