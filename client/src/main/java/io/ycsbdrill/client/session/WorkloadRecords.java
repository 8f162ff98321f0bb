package io.ycsbdrill.client.session;

import io.ycsbdrill.base.Problems;
import io.ycsbdrill.workload.CountsRecords;
import java.lang.reflect.InvocationTargetException;
import java.util.Properties;
import site.ycsb.Workload;
import site.ycsb.WorkloadException;

/** Sets {@code recordcount} for a workload that knows it from its other properties. */
public final class WorkloadRecords {
    private WorkloadRecords() {}

    /**
     * Sets it, unless it was given or the workload does not know it.
     *
     * @param problems gets what is wrong with the workload's properties
     */
    public static void complete(Properties properties, Problems problems) {
        Class<?> type;
        try {
            type = Class.forName(
                    properties.getProperty("workload", ""),
                    false,
                    Thread.currentThread().getContextClassLoader());
        } catch (ClassNotFoundException | LinkageError e) {
            return; // WorkloadCheck reports it.
        }
        if (!CountsRecords.class.isAssignableFrom(type) || !Workload.class.isAssignableFrom(type)) {
            return;
        }
        try {
            CountsRecords workload =
                    (CountsRecords) type.getDeclaredConstructor().newInstance();
            properties.putIfAbsent("recordcount", Long.toString(workload.records(properties)));
        } catch (WorkloadException e) {
            problems.add(e.getMessage());
            properties.putIfAbsent("recordcount", "1"); // No second complaint about the same.
        } catch (NoSuchMethodException | InstantiationException | IllegalAccessException e) {
            problems.add("workload=" + type.getName() + " cannot be made: " + e);
        } catch (InvocationTargetException e) {
            problems.add("workload=" + type.getName() + " cannot be made: " + e.getCause());
        }
    }
}
