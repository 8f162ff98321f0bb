package io.ycsbdrill.workload.tpcc;

import site.ycsb.Status;

/** A transaction cannot go on: it was aborted, or a call of it failed. Without a stack trace, as it is no surprise. */
final class Ended extends Exception {
    private static final long serialVersionUID = 1;

    private final transient Status status;

    Ended(Status status) {
        super(status.getName(), null, false, false);
        this.status = status;
    }

    Status status() {
        return status;
    }
}
