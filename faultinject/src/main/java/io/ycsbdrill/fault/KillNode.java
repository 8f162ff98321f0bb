package io.ycsbdrill.fault;

/** Ends a node's process with SIGKILL; the node stays down until it is started. */
public record KillNode() implements BringsDown {

    @Override
    public String name() {
        return "kill";
    }

    @Override
    public StopMode mode() {
        return StopMode.KILL;
    }
}
