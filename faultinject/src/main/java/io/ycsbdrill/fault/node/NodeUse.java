package io.ycsbdrill.fault.node;

import java.util.Optional;

/**
 * What the process of one server, or its processes together, have used so far.
 *
 * @param process identifies it among all that its server has had: each begins at zero
 * @param ageSeconds since it was started; of several processes the oldest counts
 * @param cpuSeconds processor time of all its threads since it was started; it never falls
 * @param memoryBytes in memory now (resident)
 * @param traffic over a network that is the server's alone. Empty where the network is not its own, as nobody can tell whose bytes are
 *     whose
 */
public record NodeUse(
        String process, double ageSeconds, double cpuSeconds, long memoryBytes, Optional<Traffic> traffic) {

    /**
     * What the interfaces of a network have carried since it was made; that goes on when the server is started again.
     *
     * @param network identifies it among those of the machine
     */
    public record Traffic(String network, long receivedBytes, long sentBytes) {}

    /** One whose network traffic is not known. */
    public NodeUse(String process, double ageSeconds, double cpuSeconds, long memoryBytes) {
        this(process, ageSeconds, cpuSeconds, memoryBytes, Optional.empty());
    }

    /** The same with what went over its own network. */
    public NodeUse with(Traffic over) {
        return new NodeUse(process, ageSeconds, cpuSeconds, memoryBytes, Optional.of(over));
    }
}
