package io.ycsbdrill.fault.node.declared;

import io.ycsbdrill.fault.node.kit.Moment;

/** What is known of one server. Owned by its {@link DeclaredHistory}. */
final class DeclaredServer {
    enum Life {
        DOWN,
        /** Its process is there, and another node has taken its place. */
        OUT,
        STARTING,
        RECOVERED
    }

    final boolean data;
    final Probe probe;
    Life life = Life.DOWN;
    boolean running;
    boolean synchronising;
    /** When another node became primary in its place, while it seemed well; null when none did. It is asked whether it is. */
    Moment doubted;

    String doubtedBy = "";
    /** It was asked to stop: until it has, it is neither out nor back, whatever it hands over. */
    boolean stopping;
    /** Its failure is not handled yet. */
    boolean open;
    /** When its life changed: answers to earlier questions say nothing of now. */
    long since = Long.MIN_VALUE;
    /** When it was asked what it answered first as one that has recovered; 0 while it has not. */
    long well;
    /** What it has to have then; -1 while that is not known. */
    long target = -1;
    /** Its events keep their order, however their times were compared. */
    long last = Long.MIN_VALUE;
    /** When it was reported down last. */
    long downNanos = Long.MIN_VALUE;

    String step = "";
    /** Whether it is known now whether it has a process. */
    boolean known = true;
    /** So many questions in a row had no answer of use, the first one to come among them; on other hosts, as what follows. */
    int misses = 1;
    /** When its last answer was asked for, and whether that is a primary's. */
    long askedNanos;

    boolean claims;
    /** When it was asked for its last answer that is no primary's, and for the one before: that of a replica that is well is enough. */
    long no = Long.MIN_VALUE;

    long noBefore = Long.MIN_VALUE;
    /** When its process ended last; null when that was not seen. */
    Moment down;

    DeclaredServer(boolean data, Probe probe) {
        this.data = data;
        this.probe = probe;
    }

    boolean serves() {
        return running && life == Life.RECOVERED;
    }

    boolean coming() {
        return running && life != Life.RECOVERED;
    }

    void becomes(Life next, long nanos) {
        life = next;
        since = nanos;
        synchronising = false;
        doubted = null;
        forget();
    }

    void answersNothing() {
        claims = false;
        no = Long.MIN_VALUE;
        noBefore = Long.MIN_VALUE;
    }

    void forget() {
        well = 0;
        target = -1;
    }
}
