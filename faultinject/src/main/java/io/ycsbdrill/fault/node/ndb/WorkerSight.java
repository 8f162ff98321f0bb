package io.ycsbdrill.fault.node.ndb;

import io.ycsbdrill.fault.node.os.OsProcess;

/** One data node's worker as last seen, of which the watch is told; on the event loop. */
final class WorkerSight implements Runnable {
    private final NdbPrograms programs;
    private final int node;
    private final NdbWatch events;
    private OsProcess worker;
    private long aliveNanos;

    /** Takes the first look, so that the end of a worker that dies at once is seen. */
    WorkerSight(NdbPrograms programs, int node, NdbWatch events) {
        this.programs = programs;
        this.node = node;
        this.events = events;
        run();
    }

    @Override
    public void run() {
        long now = System.nanoTime();
        if (worker == null) {
            worker = programs.worker(node).orElse(null);
            aliveNanos = now;
            if (worker != null) {
                events.processSeen(node);
            }
        } else if (worker.alive()) {
            aliveNanos = now;
        } else {
            events.processEnded(node, "process " + worker.pid() + " ended", aliveNanos);
            worker = null;
        }
    }
}
