package io.ycsbdrill.client.audit;

import io.ycsbdrill.binding.NodeReads;
import io.ycsbdrill.binding.NodeReads.Guarantee;
import io.ycsbdrill.client.audit.KeyJudge.Verdict;
import io.ycsbdrill.client.audit.KeyPasses.Item;
import io.ycsbdrill.client.audit.KeyPasses.Step;
import io.ycsbdrill.client.audit.journal.Stamp;
import io.ycsbdrill.client.audit.journal.WriteHistory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import site.ycsb.DB;

/** Reads every touched key, and rows of the load that were not touched, and judges them. What looks wrong is read again in later passes: only what stays wrong is a finding. */
final class ReadBack {
    /** The chance that a wrong copy is never asked. */
    private static final double MISSED = 0.01;

    private final long clients;
    private final ReadJudge readJudge;
    private final ReadTally reads;
    private final KeyPasses passes;
    private final LoadedRows loaded;
    private final KeyJudge judge;
    private final Databases databases;
    private final String table;
    private final long run;
    private final ReadOptions options;
    private final Tally tally = new Tally();
    private Guarantee guarantee = Guarantee.NONE;

    /** @param clients whose writes they are */
    ReadBack(
            WriteHistory history,
            long clients,
            LoadedRows loaded,
            KeyJudge judge,
            Databases databases,
            String table,
            ReadOptions options) {
        this.clients = clients;
        this.loaded = loaded;
        this.readJudge = new ReadJudge(() -> guarantee().strong(), loaded::contains, history.rollback());
        this.reads = new ReadTally(readJudge);
        this.passes = new KeyPasses(
                loaded.after(reads.judging(history.keysWithReads(reads::onlyRead))),
                history.writes() + loaded.mostRead(),
                options,
                "read back");
        this.judge = judge;
        this.databases = databases;
        this.table = table;
        this.run = history.run();
        this.options = options;
    }

    /** Touched keys. */
    long keys() {
        return passes.keys() - loaded.read();
    }

    /** The rows from before the run; those that it did not write were all handed out when {@link #keys} was asked for. */
    LoadedRows loaded() {
        return loaded;
    }

    /** What reads have shown during the run, of all keys that were handed out; of all when {@link #keys} was asked for. */
    ReadTally reads() {
        return reads;
    }

    /** Why some keys could not be read, each reason once. */
    List<String> problems() {
        return passes.problems();
    }

    /** Judges the reads of the run by what the binding promises. */
    ReadJudge readJudge() {
        return readJudge;
    }

    /** What the binding's reads may show of the writes of all clients; nothing is promised before it was connected. */
    Guarantee guarantee() {
        return guarantee.among(clients);
    }

    /** How often a key is read before it is right: so often that a copy which is not is missed in one of a hundred. */
    int readsOfKey() {
        int copies = guarantee.copies();
        return copies == 1 ? 1 : (int) Math.ceil(Math.log(MISSED) / Math.log(1 - 1.0 / copies));
    }

    /** Reads until all is judged, or nothing more can be done. */
    Tally execute() throws InterruptedException {
        List<DB> connections = new ArrayList<>();
        try {
            connect(connections);
            if (!connections.isEmpty()) {
                // As users read: one by one.
                passes.execute(
                        connections.stream()
                                .map(db -> new RowReader(db, table, new Stamp(run)))
                                .map(reader -> (KeyPasses.Reader) items -> List.of(read(reader, items.get(0))))
                                .toList(),
                        1);
            }
        } finally {
            connections.forEach(passes::cleanUp);
        }
        return tally;
    }

    private void connect(List<DB> connections) {
        for (int i = 0; i < passes.mostReaders(); i++) {
            try {
                DB db = databases.connect(Map.of());
                connections.add(db);
                guarantee = db instanceof NodeReads reads ? reads.guarantee() : Guarantee.NONE;
            } catch (Exception | LinkageError e) {
                passes.problem("connection", e);
            }
        }
    }

    private Step read(RowReader reader, Item item) {
        Verdict verdict = null;
        for (int i = 0;
                i < readsOfKey() && (verdict == null || verdict.findings().isEmpty());
                i++) {
            RowCopy copy = RowCopy.UNREADABLE;
            try {
                copy = reader.read(List.of(item.key())).get(0);
            } catch (RuntimeException e) {
                passes.problem("read", e);
            }
            if (!copy.says()) {
                return Step.NO_ANSWER;
            }
            verdict = judge.judge(item.of(), copy.found());
        }
        if (!verdict.findings().isEmpty()
                && item.suspected() + 1
                        < options.confirmations(guarantee.settle().toMillis())) {
            return Step.SUSPECT;
        }
        loaded.judged(item.key(), verdict);
        if (verdict.partly()) {
            reads.partlyReadBack();
        }
        tally.add(
                item.key(), verdict, item.suspected() > 0 && verdict.findings().isEmpty());
        return Step.SETTLED;
    }
}
