package io.ycsbdrill.fault.node.galera.hosted;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the nodes of a group say at one time. Immutable.
 *
 * @param answers of those that answer, by node
 */
record GaleraState(Map<String, GaleraAnswer> answers) {
    GaleraState {
        answers = Map.copyOf(answers);
    }

    static GaleraState of(List<GaleraAnswer> answers) {
        return new GaleraState(answers.stream().collect(Collectors.toMap(GaleraAnswer::node, answer -> answer)));
    }

    Optional<GaleraAnswer> of(String node) {
        return Optional.ofNullable(answers.get(node));
    }

    /** Whether the node answers and is in the part that serves. */
    boolean serves(String node) {
        return of(node).filter(GaleraAnswer::primary).isPresent();
    }

    /** Whether any node that answers is in the part that serves. */
    boolean served() {
        return answers.values().stream().anyMatch(GaleraAnswer::primary);
    }

    /** One that serves and does not say its members, such as one that has only just joined, says nothing of the others. */
    private Stream<GaleraAnswer> others(String node) {
        return answers.values().stream()
                .filter(answer -> answer.saysMembers() && !answer.node().equals(node));
    }

    /** Whether another node that serves does not see it as a member. */
    boolean missedBySome(String node) {
        return others(node).anyMatch(answer -> !answer.members().contains(node));
    }

    /** Whether there are other nodes that serve, and none of them sees it as a member. */
    boolean missedByAll(String node) {
        return others(node).findAny().isPresent()
                && others(node).noneMatch(answer -> answer.members().contains(node));
    }

    /** Whether there are other nodes that serve, and all of them see it as a member. */
    boolean seenByAll(String node) {
        return others(node).findAny().isPresent() && !missedBySome(node);
    }

    /** Whether another node hands its data over. */
    boolean donated(String node) {
        return others(node).anyMatch(GaleraAnswer::donates);
    }

    /** Whether it serves, has all data, and is seen by all who serve. */
    boolean recovered(String node) {
        return of(node).filter(GaleraAnswer::synced).isPresent() && !missedBySome(node);
    }
}
