package io.ycsbdrill.fault.node.haproxy;

import io.ycsbdrill.base.Io;
import io.ycsbdrill.fault.node.LocalEngine.Option;
import io.ycsbdrill.fault.node.OptionReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Options for an HAProxy in front of a local cluster's SQL servers; engines with such servers add them to their own.
 *
 * @param wanted whether there is one
 * @param home where it is installed; empty to look for one
 */
public record HaproxyOptions(boolean wanted, String home) {
    /** No proxy, the default. */
    public static final HaproxyOptions NONE = new HaproxyOptions(false, "");

    /** For an engine's list. */
    public static final List<Option> ALL = List.of(
            new Option("haproxy", "false", "put an HAProxy in front of the SQL servers and connect jdbc through it"),
            new Option(
                    "haproxy-home",
                    "",
                    "HAProxy to use; default: HAPROXY_HOME, then PATH, then what bin/install-galera unpacked"));

    /** Reads them; what is wrong is reported through the reader. */
    public static HaproxyOptions read(OptionReader reader) {
        boolean wanted = reader.flag("haproxy");
        String home = reader.text("haproxy-home");
        if (!home.isBlank() && !wanted) {
            reader.problem("--haproxy-home " + home + " has no effect without --haproxy");
        }
        return new HaproxyOptions(wanted, home);
    }

    /**
     * The program, when it is wanted.
     *
     * @param trees further places to look
     * @throws IllegalArgumentException when it is wanted and not there, or does not run
     */
    public Optional<HaproxyHome> program(Map<String, String> environment, List<Path> trees) {
        if (!wanted) {
            return Optional.empty();
        }
        Optional<HaproxyHome> found = HaproxyHome.find(home, environment, trees);
        if (found.isEmpty()) {
            throw new IllegalArgumentException("haproxy: "
                    + HaproxyHome.named(home, environment)
                            .map(place -> place + " (" + (home.isBlank() ? "HAPROXY_HOME" : "haproxy-home")
                                    + ") is neither the program haproxy nor a folder with it in usr/sbin, sbin or bin")
                            .orElse("no HAProxy found in PATH or an unpacked tree; install your distribution's package"
                                    + " haproxy, or let bin/install-galera unpack it (an older tree lacks it:"
                                    + " remove that first), or set HAPROXY_HOME"));
        }
        String failure = "haproxy: " + found.get().program() + " does not run";
        Io.get(failure, IllegalArgumentException::new, () -> found.get().version());
        return found;
    }
}
