package io.ycsbdrill.client.session;

import io.ycsbdrill.base.Problems;
import io.ycsbdrill.binding.BindingProperties;
import io.ycsbdrill.client.run.RunSpec.Mode;
import io.ycsbdrill.client.run.key.KeyRange;
import io.ycsbdrill.workload.ChecksData;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Properties;
import site.ycsb.Workload;
import site.ycsb.workloads.CoreWorkload;

/**
 * Checks the properties that YCSB's own classes read, before they do: CoreWorkload answers a wrong combination with
 * {@code System.exit} and a wrong number with a bare exception, one at a time.
 */
public final class WorkloadCheck {
    private final Properties properties;
    private final PropertyReader read;
    private final Problems problems;

    public WorkloadCheck(Properties properties, Problems problems) {
        this.properties = properties;
        this.read = new PropertyReader(properties, problems);
        this.problems = problems;
    }

    /** Adds everything wrong with the workload to the problems. */
    public void check(Mode mode) {
        Class<?> workload = workloadClass();
        long records = read.whole("recordcount", 0, 0, Long.MAX_VALUE);
        boolean none = records == 0 && !read.refused("recordcount");
        long start = read.whole("insertstart", 0, 0, Long.MAX_VALUE);
        long count = read.whole("insertcount", Math.max(0, records - start), 0, Integer.MAX_VALUE);
        if (properties.containsKey(KeyRange.PROPERTY)) {
            problems.add(KeyRange.PROPERTY + " is set by load --resume; it cannot be given");
        }
        if (mode == Mode.LOAD && none && count == 0 && !read.refused("insertcount")) {
            problems.missing(
                    "recordcount is not set, so there is nothing to load; give a workload file (-P) or -p recordcount=N");
        }
        boolean ofRange = workload != null && CoreWorkload.class.isAssignableFrom(workload);
        if ((mode == Mode.LOAD || ofRange)
                && records > 0
                && count == 0
                && start <= records
                && !read.refused("insertcount")) {
            // A run would look for a key in a range without any, for ever.
            problems.add("insertstart=" + start + " and insertcount=" + count + " leave "
                    + (mode == Mode.LOAD ? "nothing to load" : "no record to work on") + " of recordcount="
                    + records + "; insertcount must be at least 1, and insertstart less than recordcount");
        }
        if (records > 0 && start + count > records) {
            problems.add("insertstart=" + start + " plus insertcount=" + count + " is more than recordcount=" + records
                    + "; recordcount is the size of the whole table");
        }
        if (workload != null && CoreWorkload.class.isAssignableFrom(workload)) {
            core(mode, none, workload == CoreWorkload.class);
        }
        boolean ownChecks = workload != null && ChecksData.class.isAssignableFrom(workload);
        if (BindingProperties.expire(properties)
                && (ownChecks || Boolean.parseBoolean(properties.getProperty("dataintegrity")))) {
            problems.add(BindingProperties.TIME_TO_LIVE + (ownChecks ? " and this workload" : " and dataintegrity=true")
                    + " exclude each other: a row that has expired would be found wrong; leave one out");
        }
    }

    private Class<?> workloadClass() {
        String name = properties.getProperty("workload", "");
        if (name.isEmpty()) {
            problems.missing("no workload: give a workload file, for example -P workloads/workloadb");
            return null;
        }
        try {
            Class<?> found = Class.forName(name, false, Thread.currentThread().getContextClassLoader());
            if (Workload.class.isAssignableFrom(found) && !Modifier.isAbstract(found.getModifiers())) {
                return found;
            }
            problems.add("workload=" + name
                    + (Workload.class.isAssignableFrom(found)
                            ? " is abstract; name a class that extends it"
                            : " does not extend site.ycsb.Workload"));
        } catch (ClassNotFoundException | LinkageError e) {
            problems.add("workload=" + name + " is not on the class path; is its jar missing from -cp?");
        }
        return null;
    }

    private void core(Mode mode, boolean empty, boolean exactly) {
        read.whole("fieldcount", 10, 1, 10_000);
        read.whole("fieldlength", 100, 0, Integer.MAX_VALUE);
        read.whole("zeropadding", 1, 0, 200);
        long shortest = read.whole("minscanlength", 1, 1, Integer.MAX_VALUE);
        long longest = read.whole("maxscanlength", 1000, 1, Integer.MAX_VALUE);
        if (shortest > longest) {
            problems.add("minscanlength=" + shortest + " is more than maxscanlength=" + longest);
        }
        read.oneOf("scanlengthdistribution", "uniform", List.of("uniform", "zipfian"));
        read.oneOf("insertorder", "hashed", List.of("hashed", "ordered", "uuid"));
        String lengths = read.oneOf(
                "fieldlengthdistribution", "constant", List.of("constant", "uniform", "zipfian", "histogram"));
        if (properties.containsKey("hotspot.period")
                || properties.getProperty("requestdistribution", "").equals("moving-hotspot")) {
            problems.add("moving-hotspot was removed, and hotspot.period with it; use requestdistribution=hotspot");
            return;
        }
        read.oneOf(
                "requestdistribution",
                "uniform",
                List.of("uniform", "zipfian", "latest", "hotspot", "sequential", "exponential"));
        for (String flag : List.of("readallfields", "writeallfields", "dataintegrity")) {
            read.oneOf(flag, "false", List.of("true", "false"));
        }
        if (Boolean.parseBoolean(properties.getProperty("dataintegrity")) && !lengths.equals("constant")) {
            problems.add("dataintegrity=true needs fieldlengthdistribution=constant, not " + lengths);
        }
        read.whole("minfieldlength", 1, 0, Integer.MAX_VALUE);
        read.whole("core_workload_insertion_retry_limit", 0, 0, Integer.MAX_VALUE);
        read.whole("core_workload_insertion_retry_interval", 3, 0, Integer.MAX_VALUE);
        skew();
        Proportions.check(properties, exactly, mode == Mode.RUN, problems);
        if (mode == Mode.RUN && empty) {
            problems.add("recordcount is not set; it must be the number of records in the table");
        }
    }

    /** YCSB divides by these, or takes the logarithm. */
    private void skew() {
        double data = read.number("hotspotdatafraction", 0.2, 0, 1);
        read.number("hotspotopnfraction", 0.8, 0, 1);
        if (data == 0 && properties.getProperty("requestdistribution", "").equals("hotspot")) {
            problems.add("hotspotdatafraction=" + properties.getProperty("hotspotdatafraction")
                    + " leaves no hot record; expected more than 0 and at most 1");
        }
        double percentile = read.number("exponential.percentile", 95, 0, 100);
        double share = read.number("exponential.frac", 0.8571428571, 0, 1);
        if (percentile == 0 || percentile == 100 || share == 0) {
            problems.add("exponential.percentile=" + properties.getProperty("exponential.percentile", "95")
                    + " and exponential.frac=" + properties.getProperty("exponential.frac", "0.8571428571")
                    + " give no distribution; expected more than 0 and less than 100, and more than 0 and at most 1");
        }
    }
}
