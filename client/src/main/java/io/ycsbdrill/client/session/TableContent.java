package io.ycsbdrill.client.session;

import io.ycsbdrill.client.cluster.BindingNames;
import io.ycsbdrill.client.run.RunSpec;
import java.util.Optional;
import java.util.Properties;
import site.ycsb.DBException;

/**
 * What a run will find in its table, as far as a few reads tell.
 *
 * @param empty whether neither the first nor the last record is there
 * @param remark what the user should know; empty when all is as expected
 */
public record TableContent(boolean empty, Optional<String> remark) {
    private static final TableContent AS_EXPECTED = new TableContent(false, Optional.empty());

    /**
     * Reads the workload's first and last record. Bindings that are not ours are not asked, and nothing is known: what they return
     * for a missing row may be anything. Nor is it known of a workload without {@code recordcount}.
     */
    static Optional<TableContent> of(RunSpec spec, FirstConnection connection) {
        return BindingNames.all().contains(spec.binding()) && spec.properties().getProperty("recordcount") != null
                ? Optional.of(probed(spec, connection))
                : Optional.empty();
    }

    private static TableContent probed(RunSpec spec, FirstConnection connection) {
        Properties properties = spec.properties();
        long first = Long.parseLong(properties.getProperty("insertstart", "0"));
        long records = Long.parseLong(properties.getProperty("recordcount"));
        String count = properties.getProperty("insertcount", "");
        long last = (count.isEmpty() ? records : first + Long.parseLong(count)) - 1;
        long next = records + spec.part().number() - 1;
        try {
            TableProbe probe = connection.probe();
            return judge(probe.record(first), probe.record(last), first, last)
                    .orElseGet(() -> insertsIn(properties) ? beyond(probe, records, next) : AS_EXPECTED);
        } catch (DBException e) {
            return AS_EXPECTED; // The run says so.
        }
    }

    private static Optional<TableContent> judge(
            TableProbe.Record atFirst, TableProbe.Record atLast, long first, long last) {
        if (atFirst == TableProbe.Record.UNCLEAR || atLast == TableProbe.Record.UNCLEAR) {
            return Optional.of(remark("note: it is unknown whether the table holds the workload's records:"
                    + " reading record " + first + " or " + last + " gave an error"));
        }
        if (atFirst == TableProbe.Record.ABSENT && atLast == TableProbe.Record.ABSENT) {
            return Optional.of(new TableContent(true, Optional.empty()));
        }
        if (atFirst != atLast) {
            boolean hasFirst = atFirst == TableProbe.Record.PRESENT;
            return Optional.of(remark("warning: the table is only partly loaded: record " + (hasFirst ? first : last)
                    + " is there, record " + (hasFirst ? last : first) + " is not; reads of missing records will fail."
                    + " Finish the load (load --resume) or set recordcount to what is there"));
        }
        return Optional.empty();
    }

    private static TableContent beyond(TableProbe probe, long records, long next) {
        return probe.record(next) != TableProbe.Record.PRESENT
                ? AS_EXPECTED
                : remark("warning: record " + next + " exists already, so an earlier run has inserted beyond"
                        + " recordcount=" + records + "; this run's inserts of the same keys will fail as duplicates."
                        + " Load a fresh table for a clean result");
    }

    private static boolean insertsIn(Properties properties) {
        return Double.parseDouble(properties.getProperty("insertproportion", "0")) > 0;
    }

    private static TableContent remark(String text) {
        return new TableContent(false, Optional.of(text));
    }
}
