package io.ycsbdrill.client.session;

import io.ycsbdrill.binding.BindingPlugin;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.run.RunSpec;
import java.util.List;
import site.ycsb.workloads.CoreWorkload;

/** Workloads whose records are no rows of their own: several have one key, as TimeSeriesWorkload's. */
final class SharedKeys {
    private static final int ASKED = 100;

    /** Whether the binding is one of ours, whose inserts make new rows, and the workload's first records are to share keys. */
    static boolean refused(RunSpec run) {
        if (run.properties().getProperty("workload", "").equals(CoreWorkload.class.getName())
                || BindingPlugin.installed().stream()
                        .noneMatch(each -> each.className().equals(run.bindingClass()))) {
            return false;
        }
        try {
            long records = Long.parseLong(run.properties().getProperty("recordcount", "0"));
            List<WorkloadKeys.Key> keys = WorkloadKeys.of(run.properties(), 0, (int) Math.min(ASKED, records));
            return keys.stream().distinct().count() < keys.size();
        } catch (ConfigException | NumberFormatException e) {
            return false; // said where the workload is checked
        }
    }
}
