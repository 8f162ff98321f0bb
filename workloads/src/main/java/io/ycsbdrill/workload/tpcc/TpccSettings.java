package io.ycsbdrill.workload.tpcc;

import io.ycsbdrill.base.NearestName;
import io.ycsbdrill.binding.BindingProperties;
import java.time.Duration;
import java.util.Properties;
import site.ycsb.DBException;
import site.ycsb.WorkloadException;

/**
 * The workload's properties, checked; {@code docs/tpcc.md} explains each.
 *
 * @param check whether the data are checked after a run
 * @param lease after which an undecided two-phase commit of another client is aborted
 * @param firstRecord of a load
 */
record TpccSettings(
        Mode mode,
        Scale scale,
        Retries retries,
        boolean check,
        Duration lease,
        String table,
        long seed,
        long firstRecord) {

    /** Bytes that the longest row and the intent to write it need. */
    static final int FIELD_LENGTH = 1000;

    /** @throws WorkloadException naming every invalid property */
    static TpccSettings of(Properties properties) throws WorkloadException {
        BindingProperties p = new BindingProperties(properties);
        String label = p.text("tpcc.mode", Mode.NONE.label());
        if (Mode.of(label).isEmpty()) {
            p.problem(
                    "tpcc.mode",
                    label,
                    "one of " + String.join(", ", Mode.labels()) + NearestName.hint(label, Mode.labels()));
        }
        TpccSettings settings = new TpccSettings(
                Mode.of(label).orElse(Mode.NONE),
                new Scale(
                        p.integer("tpcc.warehouses", 10, 1, 10_000),
                        p.integer("tpcc.customers", 30, 10, Scale.ALL_CUSTOMERS),
                        p.integer("tpcc.items", 1000, 100, Scale.ALL_ITEMS)),
                new Retries(
                        p.integer("tpcc.retries", 50, 0, 10_000),
                        p.duration("tpcc.backoff", Duration.ofMillis(2), Duration.ofMillis(1), Duration.ofSeconds(10))),
                p.flag("tpcc.check", true),
                p.duration("tpcc.lease", Duration.ofSeconds(5), Duration.ofMillis(100), Duration.ofMinutes(10)),
                p.text("table", "usertable"),
                p.number("tpcc.seed", System.nanoTime(), Long.MIN_VALUE, Long.MAX_VALUE),
                p.number("insertstart", 0, 0, Long.MAX_VALUE));
        fits(p);
        for (String other : new String[] {"retry.temporary", "op.timeout"}) {
            String value = properties.getProperty(other, "0").strip();
            if (!value.matches("0+[a-z]*")) {
                p.problem(
                        other,
                        value,
                        "no such property with this workload: "
                                + (other.equals("retry.temporary")
                                        ? "a transaction is tried again as a whole, tpcc.retries times"
                                        : "a transaction is several calls; set the timeouts of the binding"));
            }
        }
        long records = new InitialRows(settings.scale).count();
        if (properties.getProperty("recordcount") != null
                && p.number("recordcount", records, 0, Long.MAX_VALUE) != records) {
            p.problem(
                    "recordcount",
                    properties.getProperty("recordcount"),
                    records + ", the number of rows of this scale, or nothing: ycsb finds it by itself");
        }
        try {
            p.check("tpcc.");
        } catch (DBException e) {
            throw new WorkloadException(e.getMessage());
        }
        return settings;
    }

    private static void fits(BindingProperties p) {
        int fields = p.integer("fieldcount", 10, 1, 10_000);
        int length = p.integer("fieldlength", 100, 1, Integer.MAX_VALUE);
        String prefix = p.text("fieldnameprefix", "field");
        if (fields < 2) {
            p.problem("fieldcount", "" + fields, "2: one field for the row, one for two-phase commits");
        }
        if (length < FIELD_LENGTH) {
            p.problem("fieldlength", "" + length, FIELD_LENGTH + " or more: a row is one field");
        }
        if (!prefix.equals("field")) {
            p.problem("fieldnameprefix", prefix, "field, which is the default");
        }
    }
}
