package io.ycsbdrill.client.run;

import io.ycsbdrill.client.audit.Load;
import io.ycsbdrill.client.run.key.UuidKeys;
import java.util.Properties;
import java.util.function.LongFunction;
import site.ycsb.Client;
import site.ycsb.Utils;
import site.ycsb.Workload;
import site.ycsb.workloads.CoreWorkload;

/** Which rows a run takes for loaded. */
final class LoadOfRun {
    /** Those that it reads and updates; unknown of a load, which makes them, and of workloads with keys of their own. */
    static Load of(RunSpec spec) {
        Properties properties = spec.properties();
        if (spec.mode() == RunSpec.Mode.LOAD
                || !SpecCheck.workloadClass(properties).equals(CoreWorkload.class.getName())) {
            return Load.UNKNOWN;
        }
        long first = Long.parseLong(properties.getProperty(Workload.INSERT_START_PROPERTY, "0"));
        long records = Long.parseLong(properties.getProperty(Client.RECORD_COUNT_PROPERTY, "0"));
        String count = properties.getProperty(Workload.INSERT_COUNT_PROPERTY, "");
        return new Load(
                first, Math.max(0, count.isEmpty() ? records - first : Long.parseLong(count)), keys(properties));
    }

    /** As CoreWorkload names its keys. */
    static LongFunction<String> keys(Properties properties) {
        String order =
                properties.getProperty(CoreWorkload.INSERT_ORDER_PROPERTY, CoreWorkload.INSERT_ORDER_PROPERTY_DEFAULT);
        int digits = Integer.parseInt(
                properties.getProperty(CoreWorkload.ZERO_PADDING_PROPERTY, CoreWorkload.ZERO_PADDING_PROPERTY_DEFAULT));
        return number -> {
            String digitsOfKey = Long.toString(order.equals("hashed") ? Utils.hash(number) : number);
            String key = "user" + "0".repeat(Math.max(0, digits - digitsOfKey.length())) + digitsOfKey;
            return order.equals("uuid") ? UuidKeys.uuid(key) : key;
        };
    }
}
