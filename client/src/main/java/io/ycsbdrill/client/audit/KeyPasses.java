package io.ycsbdrill.client.audit;

import io.ycsbdrill.base.Daemon;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import site.ycsb.DB;
import site.ycsb.DBException;

/**
 * Reads all touched keys with several threads, then repeats those that are not settled: those that looked wrong or could
 * not be read. The latter are tried as long as any other key gets an answer, and then until the timeout.
 */
final class KeyPasses {
    private static final int MOST_PROBLEMS = 20;
    private static final long PROGRESS_NANOS = 5_000_000_000L;
    /** A call may take so long even when nothing that fails is to be tried again. */
    private static final long LEAST_HANG_MILLIS = 30_000;

    /** What became of a key in one pass. */
    enum Step {
        SETTLED,
        /** It looks wrong, and is to be read again. */
        SUSPECT,
        /** It could not be read, and is to be read again. */
        NO_ANSWER
    }

    /**
     * A key to be read.
     *
     * @param suspected how often it has looked wrong
     * @param last whether this is the last pass: it is not read again, whatever comes of it
     */
    record Item(KeyHistory of, int suspected, boolean last) {
        String key() {
            return of.key();
        }
    }

    /** Reads some keys after the others; each is used by one thread. */
    interface Reader {
        /** @return what became of each, in their order */
        List<Step> read(List<Item> items);
    }

    private final Iterator<KeyHistory> all;
    private final ReadOptions options;
    private final int mostReaders;
    private final String done;
    private final ConcurrentSkipListSet<String> problems = new ConcurrentSkipListSet<>();
    private final AtomicLong answers = new AtomicLong();
    private final AtomicLong settled = new AtomicLong();
    private long keys;
    private volatile boolean over;
    private volatile RuntimeException failure;

    /**
     * @param keys to be read; used by one thread at a time
     * @param writes at least as many as there are keys
     * @param done what is said to be done with a key: {@code read back}
     */
    KeyPasses(Iterator<KeyHistory> keys, long writes, ReadOptions options, String done) {
        all = keys;
        mostReaders = (int) Math.min(options.threads(), Math.max(1, writes));
        this.options = options;
        this.done = done;
    }

    /** Touched keys, also those that were not read. */
    long keys() {
        while (next() != null) {}
        return keys;
    }

    /** How many readers are of use. */
    int mostReaders() {
        return mostReaders;
    }

    /** Why some keys could not be read, each reason once. */
    List<String> problems() {
        return List.copyOf(problems);
    }

    void problem(String text) {
        if (problems.size() < MOST_PROBLEMS) {
            problems.add(text);
        }
    }

    /** What failed, and why: a binding's failure is for the user; of others their kind says more. */
    void problem(String what, Throwable why) {
        problem(what + ": " + (why instanceof DBException && why.getMessage() != null ? why.getMessage() : why));
    }

    /** Closes a reader's connection; a failure is one of the problems. */
    void cleanUp(DB db) {
        try {
            db.cleanup();
        } catch (Exception e) {
            problem("cleanup", e);
        }
    }

    /**
     * Reads until all is settled, or nothing more can be done.
     *
     * @param atOnce how many keys a reader is given at a time, at most, in the first pass; then each by itself, so that none lacks an answer
     *     because of another
     */
    void execute(List<? extends Reader> readers, int atOnce) throws InterruptedException {
        try {
            passes(readers, atOnce);
        } finally {
            over = true;
        }
        if (failure != null) {
            throw failure;
        }
    }

    private void passes(List<? extends Reader> readers, int atOnce) throws InterruptedException {
        ConcurrentLinkedQueue<Item> again = new ConcurrentLinkedQueue<>();
        boolean went = pass(readers, this::next, again, atOnce);
        long answered = answers.get();
        long lastAnswer = System.nanoTime();
        while (went && !again.isEmpty() && !options.cancelled().getAsBoolean()) {
            Thread.sleep(options.pauseMillis());
            ConcurrentLinkedQueue<Item> items = again;
            again = new ConcurrentLinkedQueue<>();
            options.progress().accept("audit: reading " + items.size() + " keys again");
            went = pass(readers, items::poll, again, 1);
            if (answers.get() != answered) {
                answered = answers.get();
                lastAnswer = System.nanoTime();
            } else if (went && isOver(lastAnswer, System.nanoTime(), options.timeoutMillis())) {
                pass(readers, lastOf(again), new ConcurrentLinkedQueue<>(), 1);
                return;
            }
        }
    }

    private static boolean isOver(long since, long now, long boundMillis) {
        return now - since > TimeUnit.MILLISECONDS.toNanos(boundMillis);
    }

    private static Supplier<Item> lastOf(ConcurrentLinkedQueue<Item> items) {
        return () -> {
            Item item = items.poll();
            return item == null ? null : new Item(item.of, item.suspected, true);
        };
    }

    /** null when there is no more. */
    private Item next() {
        synchronized (all) {
            if (!all.hasNext()) {
                return null;
            }
            keys++;
            return new Item(all.next(), 0, false);
        }
    }

    /** @return false when it was given up */
    private boolean pass(
            List<? extends Reader> readers, Supplier<Item> items, ConcurrentLinkedQueue<Item> again, int atOnce)
            throws InterruptedException {
        CountDownLatch ended = new CountDownLatch(readers.size());
        List<Thread> threads = new ArrayList<>();
        for (Reader reader : readers) {
            Thread thread = Daemon.thread(
                    () -> read(reader, () -> some(items, atOnce), again, ended), "audit-" + threads.size());
            threads.add(thread);
            thread.start();
        }
        long seen = answers.get();
        long seenAt = System.nanoTime();
        long reportedAt = seenAt;
        long hangMillis = Math.max(options.timeoutMillis(), LEAST_HANG_MILLIS);
        while (!ended.await(100, TimeUnit.MILLISECONDS)) {
            long now = System.nanoTime();
            if (answers.get() != seen) {
                seen = answers.get();
                seenAt = now;
            }
            if (now - reportedAt > PROGRESS_NANOS) {
                reportedAt = now;
                options.progress().accept("audit: " + settled.get() + " keys " + done);
            }
            boolean cancelled = options.cancelled().getAsBoolean();
            if (cancelled || isOver(seenAt, now, hangMillis)) {
                over = true;
                threads.forEach(Thread::interrupt);
                problem(cancelled ? "cancelled" : "no answer for " + hangMillis / 1000.0 + " s");
                return false;
            }
        }
        return true;
    }

    private void read(
            Reader reader, Supplier<List<Item>> items, ConcurrentLinkedQueue<Item> again, CountDownLatch ended) {
        try {
            for (List<Item> some = items.get(); !some.isEmpty() && !over; some = items.get()) {
                List<Step> steps = reader.read(some);
                for (int i = 0; i < some.size(); i++) {
                    Item item = some.get(i);
                    Step step = steps.get(i);
                    if (step == Step.SETTLED) {
                        settled.incrementAndGet();
                    } else {
                        again.add(new Item(item.of, item.suspected + (step == Step.SUSPECT ? 1 : 0), false));
                    }
                    if (step != Step.NO_ANSWER) {
                        answers.incrementAndGet();
                    }
                }
            }
        } catch (RuntimeException e) {
            failure = e;
            over = true;
        } finally {
            ended.countDown();
        }
    }

    /** @param items null when there is no more */
    private static List<Item> some(Supplier<Item> items, int atOnce) {
        List<Item> some = new ArrayList<>();
        Item next;
        while (some.size() < atOnce && (next = items.get()) != null) {
            some.add(next);
        }
        return some;
    }
}
