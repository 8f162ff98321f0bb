package io.ycsbdrill.fault.node;

import io.ycsbdrill.base.Io;

/** {@link Io} on behalf of nodes: what fails is a {@link NodeControlException} that begins with the given words. Stateless. */
public final class NodeIo {
    private NodeIo() {}

    /** Does it; the reason of a failure follows its words. */
    public static <T> T get(String failure, Io.Work<T> work) {
        return Io.get(failure, NodeControlException::new, work);
    }

    /** The same without a result. */
    public static void run(String failure, Io.Step step) {
        get(failure, step);
    }
}
