package io.ycsbdrill.base;

/** Threads that keep no process alive. Stateless. */
public final class Daemon {
    private Daemon() {}

    /** A thread, not started, which does not keep the process alive. */
    public static Thread thread(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }
}
