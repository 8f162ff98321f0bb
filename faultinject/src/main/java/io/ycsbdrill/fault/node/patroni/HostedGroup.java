package io.ycsbdrill.fault.node.patroni;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What the nodes say at one time. Immutable.
 *
 * @param members those that answer, by node
 * @param primary the node that is primary, as {@link LastPrimary} has it
 */
record HostedGroup(Map<String, HostedMember> members, Optional<HostedMember> primary) {
    HostedGroup {
        members = Map.copyOf(members);
    }

    static HostedGroup of(List<HostedMember> answers, LastPrimary last) {
        Map<String, HostedMember> members =
                answers.stream().collect(Collectors.toMap(HostedMember::node, Function.identity()));
        return new HostedGroup(members, last.of(members));
    }

    Optional<HostedMember> of(String node) {
        return Optional.ofNullable(members.get(node));
    }

    boolean isPrimary(String node) {
        return primary().filter(member -> member.node().equals(node)).isPresent();
    }

    /** Whether another node is primary. */
    boolean servedByAnother(String node) {
        return primary().filter(member -> !member.node().equals(node)).isPresent();
    }

    /** Whether the primary sends its changes to the node. */
    boolean streams(String node) {
        return primary()
                .flatMap(HostedMember::server)
                .filter(said -> said.replicas().containsKey(node))
                .isPresent();
    }

    /** Whether a commit at the primary waits for the node. */
    boolean waitsFor(String node) {
        return primary()
                .flatMap(HostedMember::server)
                .filter(said -> said.waitsFor(node))
                .isPresent();
    }

    /** Whether a commit at the primary waits for another node. */
    boolean waitsForAnother(String node) {
        return primary()
                .flatMap(HostedMember::server)
                .filter(said ->
                        said.replicas().keySet().stream().anyMatch(each -> !each.equals(node) && said.waitsFor(each)))
                .isPresent();
    }

    /** Whether it serves as what it is: as the primary, or as a replica that streams on the primary's timeline. */
    boolean serves(String node) {
        return isPrimary(node)
                || streams(node)
                        && of(node).filter(HostedMember::replica)
                                .filter(member -> member.timeline()
                                        == primary().orElseThrow().timeline())
                                .isPresent();
    }

    /** Whether PostgreSQL runs on any node. */
    boolean anyRuns() {
        return members.values().stream().anyMatch(member -> member.server().isPresent());
    }
}
