package io.ycsbdrill.client.run.measure;

import java.lang.reflect.Field;
import java.util.Properties;
import site.ycsb.Status;
import site.ycsb.measurements.Measurements;
import site.ycsb.measurements.exporter.MeasurementsExporter;

/**
 * YCSB's measurement singleton, replaced while anything of ours runs: workloads report READ-MODIFY-WRITE and VERIFY to it, and
 * those go to the calling client thread's recorder, so that several runs in a JVM do not meet. What other threads report is
 * dropped, as no window is theirs.
 */
public final class RoutedMeasurements extends Measurements {
    /** How many have installed it; guarded by the lock of {@link Measurements}, as its singleton is. */
    private static int users;

    /** A thread that has a recorder. */
    public interface Recording {
        /** The thread's recorder; null before it has one. */
        ThreadRecorder recorder();
    }

    private RoutedMeasurements(Properties properties) {
        super(properties);
    }

    /**
     * Puts one in YCSB's place, if no one has. Must come before the workload's class is constructed, which keeps what it finds. To
     * be followed by one {@link #uninstall}.
     */
    public static void install() {
        synchronized (Measurements.class) {
            if (users == 0) {
                Properties none = new Properties();
                Measurements.setProperties(none);
                singleton(new RoutedMeasurements(none));
            }
            users++;
        }
    }

    /** Takes it away again when the last one who has installed it is done, so that nothing of a run is left in the JVM. */
    public static void uninstall() {
        synchronized (Measurements.class) {
            users--;
            if (users == 0) {
                singleton(null);
                Measurements.setProperties(null);
            }
        }
    }

    private static void singleton(Measurements measurements) {
        try {
            Field field = Measurements.class.getDeclaredField("singleton");
            field.setAccessible(true);
            field.set(null, measurements);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this is not the ycsb-core 0.17.0 that the client loop knows", e);
        }
    }

    private static ThreadRecorder recorder() {
        return Thread.currentThread() instanceof Recording thread ? thread.recorder() : null;
    }

    @Override
    public void measure(String operation, int latency) {
        ThreadRecorder recorder = recorder();
        if (recorder != null) {
            recorder.reported(operation, latency);
        }
    }

    /** Nothing: the recorder knows the intended start itself. */
    @Override
    public void measureIntended(String operation, int latency) {}

    @Override
    public void reportStatus(String operation, Status status) {
        ThreadRecorder recorder = recorder();
        if (recorder != null) {
            recorder.reportedStatus(operation, status);
        }
    }

    @Override
    public long getIntendedtartTimeNs() {
        ThreadRecorder recorder = recorder();
        return recorder == null ? 0 : recorder.intendedStart();
    }

    /** Nothing: the pacer sets the recorder's. */
    @Override
    public void setIntendedStartTimeNs(long time) {}

    @Override
    public String getSummary() {
        return "";
    }

    /** Nothing: the run writes its own results. */
    @Override
    public void exportMeasurements(MeasurementsExporter exporter) {}
}
