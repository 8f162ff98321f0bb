package io.ycsbdrill.client.run;

import io.ycsbdrill.client.run.call.LoadingDb;
import io.ycsbdrill.client.run.call.RetryPolicy;
import io.ycsbdrill.client.run.key.LoadLedger;
import io.ycsbdrill.client.run.measure.ThreadRecorder;

/**
 * What a thread needs to run, known when all are initialised; without {@code ledger} it is no load, without {@code audit} not audited, and
 * without {@code ownership} operations are not counted by the owners of their keys.
 *
 * @param writer the thread's number in the audit
 * @param abandonable whether a call may be abandoned
 */
record ThreadStart(
        ThreadRecorder recorder,
        long transactions,
        int writer,
        boolean abandonable,
        LoadLedger ledger,
        LoadingDb.Policy loading,
        RetryPolicy retry,
        RunAudit audit,
        WireMeter wire,
        Ownership ownership) {}
