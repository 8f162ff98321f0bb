package io.ycsbdrill.fault.node.patroni;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/**
 * What the Patroni of one node says of it. Immutable.
 *
 * @param node its id
 * @param there whether a Patroni answers; its host refuses the connection where there is none
 * @param state of PostgreSQL, such as {@code running}, {@code starting} or {@code creating replica}
 * @param server what PostgreSQL itself says; empty while it does not run
 * @param version of Patroni and of PostgreSQL
 */
record HostedMember(String node, boolean there, String state, Optional<PatroniAnswer> server, String version) {

    /** Reads a page such as {@code /health}. */
    static HostedMember of(String node, JsonNode page) {
        int number = page.path("server_version").asInt(); // 150020 is 15.20
        String postgres = number == 0 ? "" : " with PostgreSQL " + number / 10_000 + "." + number % 10_000;
        return new HostedMember(
                node,
                true,
                page.path("state").asText(),
                PatroniAnswer.of(page.toString()),
                page.at("/patroni/version").asText("unknown") + postgres);
    }

    /** A node on whose host nothing answers for Patroni, although the host does. */
    static HostedMember gone(String node) {
        return new HostedMember(node, false, "no Patroni", Optional.empty(), "");
    }

    boolean primary() {
        return server.filter(PatroniAnswer::primary).isPresent();
    }

    boolean replica() {
        return server.filter(said -> !said.primary()).isPresent();
    }

    /** Whether its PostgreSQL is on its way, or its data are. */
    boolean comes() {
        return there && state.matches("(re)?starting.*|creating replica.*|.*bootstrap.*");
    }

    long timeline() {
        return server.map(PatroniAnswer::timeline).orElse(0L);
    }

    long position() {
        return server.map(PatroniAnswer::position).orElse(0L);
    }
}
