package io.ycsbdrill.fault.node.harper;

import io.ycsbdrill.fault.node.LocalEngine.Option;
import io.ycsbdrill.fault.node.OptionReader;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * The shape of a local server.
 *
 * @param tables names of the tables that the server offers over REST, at least one
 * @param ttl how long a row stays after its last write, in whole seconds; zero for ever
 * @param threads worker threads
 * @param home installation; empty to search for one
 */
record HarperOptions(List<String> tables, Duration ttl, int threads, String home) {
    static final List<Option> OWN = List.of(
            new Option(
                    "tables",
                    "usertable",
                    "tables that the server offers over REST, with commas between them; they cannot be added later"),
            new Option(
                    "record-ttl",
                    "0s",
                    "row expiry after the last write, in whole seconds, up to 1000h; 0s never expires"),
            new Option("harper-threads", "1", "worker threads of the server, 1 to 64"),
            HarperHome.PLACES.option());

    HarperOptions {
        tables = List.copyOf(tables);
    }

    static HarperOptions read(OptionReader reader) {
        List<String> tables = Arrays.stream(reader.text("tables").split(",", -1))
                .map(String::strip)
                .toList();
        if (!tables.stream().allMatch(name -> name.matches("[A-Za-z][A-Za-z0-9_]{0,62}"))
                || tables.stream().distinct().count() < tables.size()) {
            reader.problem(
                    "--tables " + reader.text("tables") + ": expected names of letters, digits and _ that begin with"
                            + " a letter, each once, with commas between them");
        }
        Duration ttl = reader.duration("record-ttl", Duration.ZERO, Duration.ofHours(1000));
        if (ttl.getNano() != 0) {
            reader.problem("--record-ttl " + reader.text("record-ttl") + ": expected whole seconds");
        }
        return new HarperOptions(
                tables,
                ttl,
                reader.number("harper-threads", 1, 64),
                reader.text(HarperHome.PLACES.option().name()));
    }
}
