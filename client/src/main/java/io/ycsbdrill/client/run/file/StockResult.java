package io.ycsbdrill.client.run.file;

import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.client.run.call.RetryPolicy;
import io.ycsbdrill.client.run.measure.Operations;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.HdrHistogram.Histogram;
import site.ycsb.Utils;
import site.ycsb.measurements.exporter.MeasurementsExporter;

/**
 * The result as {@code site.ycsb.Client} prints it with {@code measurementtype=hdrhistogram}, through YCSB's exporters: same metrics, same
 * order, microseconds. {@code Throughput(ops/sec)} counts transactions, whatever their outcome, as there. What is not OK (failed
 * and unknown) has its latencies under {@code READ-FAILED} and so on.
 */
public final class StockResult {
    static final String EXPORTER = "exporter";
    static final String DEFAULT_EXPORTER = "site.ycsb.measurements.exporter.TextMeasurementsExporter";
    public static final String PERCENTILES = "hdrhistogram.percentiles";
    static final String DEFAULT_PERCENTILES = "95,99";
    public static final String INTERVAL = "measurement.interval";

    private StockResult() {}

    /** One metric: its latencies (null: none), status counts and what stock YCSB does not have. */
    private record Metric(Histogram nanos, Map<String, Long> returns, Map<String, Long> more) {
        Metric(Histogram nanos, Map<String, Long> returns) {
            this(nanos, returns, Map.of());
        }
    }

    /** @param cleanups how long each thread's cleanup took */
    public static String of(
            RunTotals totals, Operations operations, Properties properties, List<Long> cleanups, RetryPolicy retry) {
        return of(totals, operations, properties, cleanups, retry, Utils.getGCStatst());
    }

    /** The result of several clients; the garbage collections and clean-ups of each are in its own result. */
    public static String merged(RunTotals totals, Operations operations, Properties properties, RetryPolicy retry) {
        return of(totals, operations, properties, List.of(), retry, Map.of());
    }

    private static String of(
            RunTotals totals,
            Operations operations,
            Properties properties,
            List<Long> cleanups,
            RetryPolicy retry,
            Map<String, Long[]> collections) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            MeasurementsExporter exporter = exporter(properties, bytes);
            overall(exporter, totals, collections);
            // Stock keeps its metrics in maps of this class, so this gives its order.
            Map<String, Metric> service = new ConcurrentHashMap<>();
            Map<String, Metric> response = new ConcurrentHashMap<>();
            collect(totals, operations, retry, service, response);
            if (!cleanups.isEmpty()) {
                Histogram histogram = new Histogram(3);
                cleanups.forEach(histogram::recordValue);
                service.put("CLEANUP", new Metric(histogram, Map.of()));
            }
            String interval = properties.getProperty(INTERVAL, "op");
            double[] percentiles = percentiles(properties);
            if (!interval.equals("intended") || response.isEmpty()) {
                export(exporter, "", service, percentiles);
            }
            if (interval.equals("intended")) {
                export(exporter, "", response, percentiles);
            } else if (interval.equals("both")) {
                export(exporter, "Intended-", response, percentiles);
            }
            exporter.close();
        } catch (IOException e) {
            throw new IllegalStateException("an exporter failed to write to memory", e);
        }
        return bytes.toString(Charset.defaultCharset());
    }

    private static void collect(
            RunTotals totals,
            Operations operations,
            RetryPolicy retry,
            Map<String, Metric> service,
            Map<String, Metric> response) {
        totals.operations().forEach((id, data) -> {
            String name = operations.name(id);
            Map<String, Long> retries = retry.isOn() && Operations.isCall(id)
                    ? Map.of("Retries", data.retries(), "RetriedOperations", data.retriedOperations())
                    : Map.of();
            service.put(name, new Metric(data.service(Outcome.OK), data.returns(), retries));
            if (data.response(Outcome.OK) != null) {
                response.put(name, new Metric(data.response(Outcome.OK), data.returns()));
            }
            failed(service, name, data.service(Outcome.FAILED), data.service(Outcome.UNKNOWN));
            failed(response, name, data.response(Outcome.FAILED), data.response(Outcome.UNKNOWN));
        });
    }

    private static void failed(Map<String, Metric> metrics, String name, Histogram failed, Histogram unknown) {
        Histogram both = new Histogram(3);
        for (Histogram histogram : Arrays.asList(failed, unknown)) {
            if (histogram != null) {
                both.add(histogram);
            }
        }
        if (both.getTotalCount() > 0) {
            metrics.put(name + "-FAILED", new Metric(both, Map.of()));
        }
    }

    public static MeasurementsExporter exporter(Properties properties, OutputStream out) {
        String name = properties.getProperty(EXPORTER, DEFAULT_EXPORTER);
        try {
            if (name.equals(JsonExporter.ARRAY) || name.equals(JsonExporter.OBJECTS)) {
                return new JsonExporter(out, name.equals(JsonExporter.ARRAY));
            }
            return Class.forName(name)
                    .asSubclass(MeasurementsExporter.class)
                    .getConstructor(OutputStream.class)
                    .newInstance(out);
        } catch (IOException e) {
            throw new IllegalStateException("an exporter failed to write to memory", e);
        } catch (ReflectiveOperationException | ClassCastException e) {
            throw new IllegalArgumentException(
                    "exporter=" + name + " is not the name of a MeasurementsExporter; stock YCSB has "
                            + DEFAULT_EXPORTER
                            + ", ...JSONMeasurementsExporter and ...JSONArrayMeasurementsExporter",
                    e);
        }
    }

    /** @throws NumberFormatException when the property is not a list of numbers */
    public static double[] percentiles(Properties properties) {
        return Arrays.stream(
                        properties.getProperty(PERCENTILES, DEFAULT_PERCENTILES).split(","))
                .mapToDouble(Double::parseDouble)
                .toArray();
    }

    private static void overall(MeasurementsExporter exporter, RunTotals totals, Map<String, Long[]> collections)
            throws IOException {
        long millis = totals.lengthNanos() / 1_000_000;
        exporter.write("OVERALL", "RunTime(ms)", millis);
        if (totals.transactions().isPresent()) {
            long transactions = totals.transactions().getAsLong();
            exporter.write("OVERALL", "Throughput(ops/sec)", Format.rate(transactions, totals.lengthNanos()));
        }
        long count = 0;
        long time = 0;
        for (Map.Entry<String, Long[]> gc : collections.entrySet()) {
            exporter.write("TOTAL_GCS_" + gc.getKey(), "Count", gc.getValue()[0]);
            exporter.write("TOTAL_GC_TIME_" + gc.getKey(), "Time(ms)", gc.getValue()[1]);
            exporter.write("TOTAL_GC_TIME_%_" + gc.getKey(), "Time(%)", percent(gc.getValue()[1], millis));
            count += gc.getValue()[0];
            time += gc.getValue()[1];
        }
        if (collections.isEmpty()) {
            return;
        }
        exporter.write("TOTAL_GCs", "Count", count);
        exporter.write("TOTAL_GC_TIME", "Time(ms)", time);
        exporter.write("TOTAL_GC_TIME_%", "Time(%)", percent(time, millis));
    }

    private static double percent(long part, long total) {
        return total == 0 ? 0 : 100.0 * part / total;
    }

    private static void export(
            MeasurementsExporter exporter, String prefix, Map<String, Metric> metrics, double[] percentiles)
            throws IOException {
        for (Map.Entry<String, Metric> metric : metrics.entrySet()) {
            String name = prefix + metric.getKey();
            Histogram nanos = metric.getValue().nanos() == null
                    ? new Histogram(3)
                    : metric.getValue().nanos();
            exporter.write(name, "Operations", nanos.getTotalCount());
            exporter.write(name, "AverageLatency(us)", nanos.getMean() / 1000);
            exporter.write(name, "MinLatency(us)", nanos.getTotalCount() == 0 ? 0 : nanos.getMinValue() / 1000);
            exporter.write(name, "MaxLatency(us)", nanos.getMaxValue() / 1000);
            for (double percentile : percentiles) {
                exporter.write(
                        name,
                        ordinal(percentile) + "PercentileLatency(us)",
                        nanos.getValueAtPercentile(percentile) / 1000);
            }
            for (Map.Entry<String, Long> status :
                    new TreeMap<>(metric.getValue().returns()).entrySet()) {
                exporter.write(name, "Return=" + status.getKey(), status.getValue());
            }
            for (Map.Entry<String, Long> count : new TreeMap<>(metric.getValue().more()).entrySet()) {
                exporter.write(name, count.getKey(), count.getValue());
            }
        }
    }

    /** 1st, 2nd, 11th, 99th, 99.9: as stock writes them. */
    public static String ordinal(double percentile) {
        if (percentile != Math.rint(percentile)) {
            return Double.toString(percentile);
        }
        int number = (int) percentile;
        boolean teen = number % 100 >= 11 && number % 100 <= 13;
        return number
                + switch (teen ? 0 : number % 10) {
                    case 1 -> "st";
                    case 2 -> "nd";
                    case 3 -> "rd";
                    default -> "th";
                };
    }
}
