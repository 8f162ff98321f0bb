package io.ycsbdrill.client.audit;

import io.ycsbdrill.binding.BindingProperties;
import io.ycsbdrill.client.audit.journal.Stamp;
import io.ycsbdrill.workload.ChecksData;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import site.ycsb.workloads.CoreWorkload;

/** Whether a run with these properties can be audited. */
public final class AuditCheck {
    private AuditCheck() {}

    /**
     * How many threads of each of so many clients can be told apart, those that go on in place of others included; those of
     * the next client have the numbers after them.
     */
    public static int writers(int clients) {
        return Stamp.MOST_WRITERS / clients;
    }

    /**
     * Everything that prevents it, for the user; empty when nothing does.
     *
     * @param threads of each client
     */
    public static List<String> problems(Properties properties, int threads, int clients) {
        List<String> problems = new ArrayList<>();
        if (Boolean.parseBoolean(properties.getProperty(CoreWorkload.DATA_INTEGRITY_PROPERTY))) {
            problems.add("--audit and " + CoreWorkload.DATA_INTEGRITY_PROPERTY
                    + "=true exclude each other: both need the contents of the fields; leave one out");
        }
        if (BindingProperties.expire(properties)) {
            problems.add(
                    "--audit and " + BindingProperties.TIME_TO_LIVE
                            + " exclude each other: a row that has expired cannot be told from one that was lost; leave one out");
        }
        if (checksItself(properties)) {
            problems.add(
                    "--audit: the workload checks its own data, and each of its values has a meaning that the audit would"
                            + " overwrite; leave --audit out");
            return problems;
        }
        if (threads > writers(clients)) {
            problems.add("--audit: threadcount=" + threads + " of each of " + clients + " clients is not from 1 to "
                    + writers(clients) + ", as the threads of all clients must be told apart; give fewer -threads or"
                    + " --clients, or leave --audit out");
        }
        String distribution = properties.getProperty(
                CoreWorkload.FIELD_LENGTH_DISTRIBUTION_PROPERTY,
                CoreWorkload.FIELD_LENGTH_DISTRIBUTION_PROPERTY_DEFAULT);
        switch (distribution.toLowerCase(Locale.ROOT)) {
            case "constant" ->
                length(
                        properties,
                        CoreWorkload.FIELD_LENGTH_PROPERTY,
                        CoreWorkload.FIELD_LENGTH_PROPERTY_DEFAULT,
                        problems);
            case "histogram" ->
                problems.add("--audit: " + CoreWorkload.FIELD_LENGTH_DISTRIBUTION_PROPERTY
                        + "=histogram has no minimum length, and values need at least " + Stamp.LENGTH
                        + " bytes; use constant, uniform or zipfian");
            default ->
                length(
                        properties,
                        CoreWorkload.MIN_FIELD_LENGTH_PROPERTY,
                        CoreWorkload.MIN_FIELD_LENGTH_PROPERTY_DEFAULT,
                        problems);
        }
        return List.copyOf(problems);
    }

    private static boolean checksItself(Properties properties) {
        try {
            return ChecksData.class.isAssignableFrom(Class.forName(
                    properties.getProperty("workload", ""),
                    false,
                    Thread.currentThread().getContextClassLoader()));
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }

    private static void length(Properties properties, String key, String absent, List<String> problems) {
        String value = properties.getProperty(key, absent);
        if (!value.strip().matches("\\d{1,9}") || Integer.parseInt(value.strip()) < Stamp.LENGTH) {
            problems.add("--audit: " + key + "=" + value
                    + " is too short: each value carries the id of its write and needs at" + " least " + Stamp.LENGTH
                    + " bytes; set " + key + "=" + Stamp.LENGTH + " or more");
        }
    }
}
