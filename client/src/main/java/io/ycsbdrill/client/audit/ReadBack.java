package io.ycsbdrill.client.audit;

import io.ycsbdrill.client.audit.KeyJudge.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import site.ycsb.DB;

/**
 * Reads every touched key and judges it, with several threads. A key that looks wrong is read again in later passes: only what stays
 * wrong is a finding. A key that cannot be read is tried again as long as any other can, and then for as long as the patience.
 */
final class ReadBack {
    /** Passes in which a finding must be seen. */
    private static final int CONFIRMATIONS = 3;

    private static final int MOST_PROBLEMS = 20;

    /** Makes a connected binding. */
    interface Connector {
        DB connect() throws Exception;
    }

    /**
     * How to go about it.
     *
     * @param pauseMillis between two passes
     * @param patienceMillis without any answer, after which it is given up
     * @param cancelled whether to give up at once
     * @param progress told about once in five seconds
     */
    record Manner(
            int threads, long pauseMillis, long patienceMillis, BooleanSupplier cancelled, Consumer<String> progress) {}

    private static final long TELL_NANOS = 5_000_000_000L;

    private final List<Stripe> stripes;
    private final KeyJudge judge;
    private final Connector connector;
    private final String table;
    private final long run;
    private final Manner manner;
    private final Tally tally = new Tally();
    private final ConcurrentSkipListSet<String> problems = new ConcurrentSkipListSet<>();
    private final AtomicLong answers = new AtomicLong();
    private final long keys;
    private volatile boolean over;

    /** A key, and how often it has looked wrong. */
    private record Item(Stripe stripe, int key, int suspected) {}

    ReadBack(List<Stripe> stripes, KeyJudge judge, Connector connector, String table, long run, Manner manner) {
        this.stripes = stripes;
        this.judge = judge;
        this.connector = connector;
        this.table = table;
        this.run = run;
        this.manner = manner;
        keys = stripes.stream().mapToLong(Stripe::keys).sum();
    }

    /** Touched keys. */
    long keys() {
        return keys;
    }

    /** Why some keys could not be read, each reason once. */
    List<String> problems() {
        return List.copyOf(problems);
    }

    private void problem(String text) {
        if (problems.size() < MOST_PROBLEMS) {
            problems.add(text);
        }
    }

    /** Reads until all is judged, or nothing more can be done. */
    Tally execute() throws InterruptedException {
        List<DB> connections = new ArrayList<>();
        try {
            connect(connections);
            if (!connections.isEmpty()) {
                passes(connections);
            }
        } finally {
            over = true;
            cleanUp(connections);
        }
        return tally;
    }

    private void connect(List<DB> connections) {
        for (int i = 0; i < Math.min(manner.threads, Math.max(1, keys)); i++) {
            try {
                connections.add(connector.connect());
            } catch (Exception | LinkageError e) {
                problem("connection: " + e);
            }
        }
    }

    private void passes(List<DB> connections) throws InterruptedException {
        ConcurrentLinkedQueue<Item> again = new ConcurrentLinkedQueue<>();
        AtomicInteger stripe = new AtomicInteger();
        AtomicInteger key = new AtomicInteger();
        boolean went = pass(connections, () -> next(stripe, key), again);
        long answered = answers.get();
        long lastAnswer = System.nanoTime();
        while (went && !again.isEmpty() && !manner.cancelled.getAsBoolean()) {
            Thread.sleep(manner.pauseMillis);
            ConcurrentLinkedQueue<Item> items = again;
            again = new ConcurrentLinkedQueue<>();
            manner.progress.accept("audit: reading " + items.size() + " keys again");
            went = pass(connections, items::poll, again);
            if (answers.get() != answered) {
                answered = answers.get();
                lastAnswer = System.nanoTime();
            } else if (System.nanoTime() - lastAnswer > TimeUnit.MILLISECONDS.toNanos(manner.patienceMillis)) {
                return;
            }
        }
    }

    private interface Items {
        /** null when there is no more. */
        Item next();
    }

    private Item next(AtomicInteger stripe, AtomicInteger key) {
        synchronized (stripe) {
            while (stripe.get() < stripes.size()) {
                Stripe of = stripes.get(stripe.get());
                if (key.get() < of.keys()) {
                    return new Item(of, key.getAndIncrement(), 0);
                }
                stripe.incrementAndGet();
                key.set(0);
            }
            return null;
        }
    }

    /** @return false when it was given up */
    private boolean pass(List<DB> connections, Items items, ConcurrentLinkedQueue<Item> again)
            throws InterruptedException {
        CountDownLatch done = new CountDownLatch(connections.size());
        List<Thread> threads = new ArrayList<>();
        for (DB db : connections) {
            Thread thread = new Thread(() -> read(db, items, again, done), "audit-" + threads.size());
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
        long seen = answers.get();
        long seenAt = System.nanoTime();
        long told = seenAt;
        while (!done.await(100, TimeUnit.MILLISECONDS)) {
            long now = System.nanoTime();
            if (answers.get() != seen) {
                seen = answers.get();
                seenAt = now;
            }
            if (now - told > TELL_NANOS) {
                told = now;
                manner.progress.accept("audit: " + tally.judged() + " of " + keys + " keys read back");
            }
            if (manner.cancelled.getAsBoolean()
                    || now - seenAt > TimeUnit.MILLISECONDS.toNanos(manner.patienceMillis)) {
                over = true;
                threads.forEach(Thread::interrupt);
                problem(
                        manner.cancelled.getAsBoolean()
                                ? "cancelled"
                                : "no answer for " + manner.patienceMillis / 1000.0 + " s");
                return false;
            }
        }
        return true;
    }

    private void read(DB db, Items items, ConcurrentLinkedQueue<Item> again, CountDownLatch done) {
        RowReader reader = new RowReader(db, table, new Stamp(run));
        try {
            for (Item item = items.next(); item != null && !over; item = items.next()) {
                read(reader, item, again);
            }
        } finally {
            done.countDown();
        }
    }

    private void read(RowReader reader, Item item, ConcurrentLinkedQueue<Item> again) {
        List<Write> writes = item.stripe.writes(item.key);
        if (writes == null) {
            tally.notAudited();
            return;
        }
        String key = item.stripe.key(item.key);
        Optional<Found> found;
        try {
            found = reader.read(key);
        } catch (RuntimeException e) {
            problem("read: " + e);
            found = Optional.empty();
        }
        if (found.isEmpty()) {
            again.add(item);
            return;
        }
        answers.incrementAndGet();
        Verdict verdict = judge.judge(writes, found.get());
        if (!verdict.findings().isEmpty() && item.suspected + 1 < CONFIRMATIONS) {
            again.add(new Item(item.stripe, item.key, item.suspected + 1));
        } else {
            tally.add(key, verdict, item.suspected > 0 && verdict.findings().isEmpty());
        }
    }

    private void cleanUp(List<DB> connections) {
        for (DB db : connections) {
            try {
                db.cleanup();
            } catch (Exception e) {
                problem("cleanup: " + e);
            }
        }
    }
}
