package io.ycsbdrill.client.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.client.cli.ServiceScript.Answer;
import io.ycsbdrill.client.cli.ServiceScript.End;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/**
 * A service that follows the script of the property {@code service.script}; its fault begins when the file {@code service.fault} is
 * there. It notes how every call really ended and writes that to {@code service.truth} when its process ends. One per process.
 */
public final class ScriptedServiceDb extends DB {
    private static final double SHORTEST_OUTAGE = 0.5;

    private static final long BEGUN = System.nanoTime();
    private static final List<Double> SUCCESSES = new ArrayList<>();
    private static long failed;
    private static long unknown;
    private static long firstCall;
    private static volatile long fault = Long.MAX_VALUE;
    private static boolean watched;

    private ServiceScript script;

    @Override
    public void init() {
        script = ServiceScript.valueOf(getProperties().getProperty("service.script"));
        watch(
                Path.of(getProperties().getProperty("service.fault")),
                Path.of(getProperties().getProperty("service.truth")));
    }

    private static synchronized void watch(Path file, Path truth) {
        if (watched) {
            return;
        }
        watched = true;
        Thread watcher = new Thread(
                () -> {
                    while (!Files.exists(file)) {
                        LockSupport.parkNanos(1_000_000);
                    }
                    fault = System.nanoTime();
                },
                "service-fault");
        watcher.setDaemon(true);
        watcher.start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> write(truth), "service-truth"));
    }

    private static double since(long nanos) {
        return fault == Long.MAX_VALUE ? Double.NEGATIVE_INFINITY : (nanos - fault) / 1e9;
    }

    private static synchronized double age(long nanos) {
        if (firstCall == 0) {
            firstCall = nanos;
        }
        return (nanos - firstCall) / 1e9;
    }

    private Status call(String key, boolean write) {
        long start = System.nanoTime();
        int shard = Math.floorMod(key.hashCode(), 3);
        Answer answer = script.call(
                since(start), age(start), shard, ThreadLocalRandom.current().nextDouble());
        long end = (answer.seconds() < 0 ? fault : start) + (long) (1e9 * Math.abs(answer.seconds()));
        while (System.nanoTime() < end) {
            LockSupport.parkNanos(end - System.nanoTime());
            if (Thread.interrupted()) {
                return Statuses.TIMEOUT;
            }
        }
        return note(answer.end(), write);
    }

    private static synchronized Status note(End end, boolean write) {
        if (end == End.OK || end == End.UNKNOWN && !write) {
            SUCCESSES.add((System.nanoTime() - BEGUN) / 1e9);
            return Status.OK;
        }
        if (end == End.REFUSED) {
            failed++;
            return Statuses.UNAVAILABLE;
        }
        unknown++;
        return Statuses.UNKNOWN;
    }

    /** All from the fault on: what failed, what is unknown, and times without a success that ended. */
    private static synchronized void write(Path truth) {
        double begin = (fault - BEGUN) / 1e9;
        double[] times = SUCCESSES.stream().mapToDouble(Double::doubleValue).toArray();
        double longest = 0;
        double out = 0;
        for (int i = 1; i < times.length; i++) {
            double gap = times[i] - times[i - 1];
            if (times[i] > begin) {
                longest = Math.max(longest, gap);
                out += gap >= SHORTEST_OUTAGE ? gap : 0;
            }
        }
        ObjectMapper mapper = new ObjectMapper();
        ObjectNode node = mapper.createObjectNode()
                .put("failed", failed)
                .put("unknown", unknown)
                .put("longestGapSeconds", longest)
                .put("outSeconds", out)
                .put(
                        "successesAfter",
                        Arrays.stream(times).filter(time -> time > begin).count());
        try {
            mapper.writeValue(truth.toFile(), node);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Status read(String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
        return call(key, false);
    }

    @Override
    public Status scan(
            String table, String start, int count, Set<String> fields, Vector<HashMap<String, ByteIterator>> result) {
        return call(start, false);
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
        return call(key, true);
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
        return call(key, true);
    }

    @Override
    public Status delete(String table, String key) {
        return call(key, true);
    }
}
