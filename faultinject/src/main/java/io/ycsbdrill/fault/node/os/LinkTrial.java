package io.ycsbdrill.fault.node.os;

import io.ycsbdrill.fault.node.trouble.LinkTrouble;
import io.ycsbdrill.fault.node.trouble.LinkTrouble.Corruption;
import io.ycsbdrill.fault.node.trouble.LinkTrouble.Duplication;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Tries whether this machine can trouble links, in a network that is gone afterwards. */
final class LinkTrial {
    private LinkTrial() {}

    /** What this machine lacks for a trouble; empty when nothing. */
    static Optional<String> lacking(LinkTrouble trouble) {
        Optional<List<String>> discipline = LinkQueues.discipline(trouble);
        if (discipline.isEmpty()) {
            return trouble instanceof Duplication || trouble instanceof Corruption
                    ? unfiltered(trouble)
                    : Optional.empty();
        }
        if (Launcher.program("tc").isEmpty()) {
            return Optional.of("links that are " + trouble.text()
                    + " need the program tc, of your distribution's package iproute2");
        }
        List<String> attempt = new ArrayList<>(NetworkNamespaces.fresh());
        attempt.addAll(List.of("tc", "qdisc", "add", "dev", "lo", "root"));
        attempt.addAll(discipline.get());
        ProgramOutput output = NetworkNamespaces.output(attempt);
        return output.exit() == 0
                ? Optional.empty()
                : Optional.of("links cannot be " + trouble.text() + " on this machine: tc says \"" + output.firstLine()
                        + "\"; its kernel needs the module sch_"
                        + discipline.get().get(0));
    }

    /** Why the kernel takes no rules for it. */
    private static Optional<String> unfiltered(LinkTrouble trouble) {
        List<String> attempt = new ArrayList<>(NetworkNamespaces.fresh());
        attempt.addAll(List.of(
                NetworkNamespaces.required("nft"),
                trouble instanceof Duplication
                        ? CopiedPackets.rules("t", "lo", LinkRules.SHARES / 2)
                        : LinkRules.corruption("t", "lo", LinkRules.SHARES / 2)));
        ProgramOutput output = NetworkNamespaces.output(attempt);
        return output.exit() == 0
                ? Optional.empty()
                : Optional.of("links cannot be " + trouble.text() + " on this machine: nft says \"" + output.firstLine()
                        + "\"; its kernel needs nf_tables with the "
                        + (trouble instanceof Duplication ? "egress hook" : "bridge family"));
    }
}
