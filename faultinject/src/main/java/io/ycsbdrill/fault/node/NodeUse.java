package io.ycsbdrill.fault.node;

import java.util.OptionalLong;

/**
 * What the process of one server, or its processes together, have used so far.
 *
 * @param process identifies it among all that its server has had: each begins at zero
 * @param cpuSeconds processor time of all its threads since it was started; it never falls
 * @param memoryBytes in memory now (resident)
 * @param receivedBytes by the interfaces of a network that is the server's alone, since that was made; it goes on when the server is
 *     started again. Empty where the network is not its own, as nobody can tell whose bytes are whose
 * @param sentBytes the same
 */
public record NodeUse(
        String process, double cpuSeconds, long memoryBytes, OptionalLong receivedBytes, OptionalLong sentBytes) {

    /** One whose network traffic is not known. */
    public NodeUse(String process, double cpuSeconds, long memoryBytes) {
        this(process, cpuSeconds, memoryBytes, OptionalLong.empty(), OptionalLong.empty());
    }

    /** The same with what went over its own network. */
    public NodeUse with(long received, long sent) {
        return new NodeUse(process, cpuSeconds, memoryBytes, OptionalLong.of(received), OptionalLong.of(sent));
    }
}
