package io.ycsbdrill.client.run.key;

import java.lang.reflect.Field;
import site.ycsb.Workload;
import site.ycsb.generator.CounterGenerator;
import site.ycsb.generator.NumberGenerator;
import site.ycsb.workloads.CoreWorkload;

/**
 * Stands in for CoreWorkload's counter of keys to insert, so that each client thread decides itself which record it inserts, and
 * so knows which record failed. Thread-safe.
 */
public final class KeySequence extends NumberGenerator {

    /**
     * Puts one into the workload, after its init.
     *
     * @return false when the workload has no such counter, or one of its own kind, which is left alone
     */
    public static boolean replace(Workload workload) {
        if (!(workload instanceof CoreWorkload)) {
            return false;
        }
        try {
            Field field = CoreWorkload.class.getDeclaredField("keysequence");
            field.setAccessible(true);
            Object counter = field.get(workload);
            if (counter == null || counter.getClass() != CounterGenerator.class) {
                return false;
            }
            field.set(workload, new KeySequence());
            return true;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this is not the ycsb-core 0.17.0 that the client loop knows", e);
        }
    }

    @Override
    public Long nextValue() {
        if (Thread.currentThread() instanceof InsertingThread client) {
            return client.currentKey();
        }
        throw new IllegalStateException("keys are inserted by client threads only");
    }

    @Override
    public double mean() {
        throw new UnsupportedOperationException("a counter has no mean");
    }
}
