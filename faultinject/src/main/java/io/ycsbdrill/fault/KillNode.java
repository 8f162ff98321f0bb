package io.ycsbdrill.fault;

/** Ends a node's process with SIGKILL; the node stays down until it is started. */
@Traits(name = "kill")
public record KillNode() implements BringsDown {

    @Override
    public StopMode mode() {
        return StopMode.KILL;
    }
}
