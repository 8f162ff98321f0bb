package io.ycsbdrill.base;

/** Ends a program that this process has started, with all that it has started itself. Stateless. */
public final class ProcessTree {

    private ProcessTree() {}

    /** Sends SIGKILL to all of them; returns without waiting. Works for an interrupted thread as well. */
    public static void kill(Process started) {
        started.descendants().forEach(ProcessHandle::destroyForcibly);
        started.destroyForcibly();
    }
}
