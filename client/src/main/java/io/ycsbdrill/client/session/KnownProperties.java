package io.ycsbdrill.client.session;

import io.ycsbdrill.base.NearestName;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;

/**
 * The keys of YCSB's core and of this client. Bindings and workloads bring their own, so an unknown key is not an error;
 * but one that is almost a known key gets a warning.
 */
public final class KnownProperties {
    static final Set<String> KEYS = Set.of("""
            workload db recordcount operationcount insertstart insertcount threadcount target maxexecutiontime
            status status.interval label exporter exportfile dotransactions

            measurementtype measurement.interval measurement.trackjvm measurement.histogram.verbose
            measurement.raw.output_file measurement.raw.no_summary hdrhistogram.percentiles hdrhistogram.fileoutput
            hdrhistogram.output.path histogram.buckets timeseries.granularity reportlatencyforeacherror
            latencytrackederrors

            table fieldcount fieldnameprefix fieldlength minfieldlength fieldlengthdistribution fieldlengthhistogram
            readallfields writeallfields dataintegrity readproportion updateproportion insertproportion
            scanproportion readmodifywriteproportion deleteproportion requestdistribution zeropadding minscanlength maxscanlength
            scanlengthdistribution insertorder hotspotdatafraction hotspotopnfraction hotspot.period
            exponential.percentile exponential.frac core_workload_insertion_retry_limit core_workload_insertion_retry_interval db.batchsize
            retry.temporary retry.backoff op.timeout load.calibration record.ttl inventory drill.servers
            """.strip().split("\\s+"));

    private KnownProperties() {}

    /** All of them. */
    public static Set<String> names() {
        return KEYS;
    }

    /** One warning for each key that looks like a known key mistyped. */
    public static List<String> nearMisses(Properties properties) {
        return new TreeSet<>(properties.stringPropertyNames())
                .stream()
                        .filter(key -> !KEYS.contains(key))
                        .map(KnownProperties::warning)
                        .flatMap(Optional::stream)
                        .toList();
    }

    private static Optional<String> warning(String key) {
        int bound = key.length() < 6 ? 1 : 2;
        return NearestName.of(key, KEYS, bound)
                .map(known ->
                        "warning: property \"" + key + "\" is not one of YCSB's; did you mean \"" + known + "\"?");
    }
}
