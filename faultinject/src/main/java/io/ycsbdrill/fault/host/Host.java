package io.ycsbdrill.fault.host;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * Where programs run, and how they are started there. Immutable.
 *
 * @param transport how it is reached
 * @param address name or address of the machine, of {@code local} for messages only; or name of the container or pod
 * @param user for {@code ssh}, {@code docker} and {@code podman}; empty for the one that the transport chooses itself
 * @param port for {@code ssh}; empty for the one of the user's configuration
 * @param sshConfig a configuration file for {@code ssh} in place of the user's
 * @param namespace for {@code kubectl}
 * @param context for {@code kubectl}
 * @param container for {@code kubectl}: of a pod that has several
 * @param addresses names or addresses by which the other hosts reach it; empty when that is {@code address}
 */
public record Host(
        Transport transport,
        String address,
        Optional<String> user,
        OptionalInt port,
        Optional<String> sshConfig,
        Optional<String> namespace,
        Optional<String> context,
        Optional<String> container,
        List<String> addresses) {
    /** Nothing that a shell or a program would take for something else than a name. */
    public static final Pattern NAME = Pattern.compile("[A-Za-z0-9._:][A-Za-z0-9._:-]*");

    /** A context of kubectl, which often has names of a user, a cluster and a provider in it. */
    static final Pattern CONTEXT = Pattern.compile(NAME + "([@/][A-Za-z0-9._:@/-]*)?");

    /** What a name may be, for messages. */
    public static final String NAMES = "letters, digits and . _ : - are allowed, and - not at the beginning";

    public Host {
        check("host", Optional.of(address));
        check("user", user);
        check("namespace", namespace);
        check("context", context.filter(given -> !CONTEXT.matcher(given).matches()));
        check("container", container);
        addresses = List.copyOf(addresses);
        addresses.forEach(each -> check("addresses", Optional.of(each)));
    }

    /** The address by which the other hosts reach it; not empty. */
    public List<String> reachedBy() {
        return addresses.isEmpty() ? List.of(address) : addresses;
    }

    /** Whether it is a container or pod: its name is no address, and it is not there while its node is down. */
    public boolean isContainer() {
        return !transport.ofMachines();
    }

    /** The machine that is there while a node is down, as far as it can be asked: of a container the one where its engine is called. */
    public Optional<Host> machine() {
        return transport.ofMachines()
                ? Optional.of(this)
                : transport.engine().map(program -> of(Transport.LOCAL, "localhost"));
    }

    private static void check(String what, Optional<String> name) {
        name.filter(given -> !NAME.matcher(given).matches()).ifPresent(given -> {
            throw new IllegalArgumentException(what + " \"" + given + "\" is not a name: " + NAMES);
        });
    }

    /** Reached without further details. */
    public static Host of(Transport transport, String address) {
        return new Host(
                transport,
                address,
                Optional.empty(),
                OptionalInt.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of());
    }

    /** Runs a program there, without input. */
    public HostCall call(List<String> command) {
        return new HostCall(transport.line(this, command), Optional.empty());
    }

    /**
     * Runs a script of ours there. It comes by standard input, so that nothing of it has to pass a shell's quoting.
     *
     * @param script for a POSIX shell
     * @param arguments of the script
     */
    public HostCall script(String script, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of("sh", "-s", "--"));
        command.addAll(arguments);
        return new HostCall(transport.line(this, command), Optional.of(script));
    }

    /** For messages: {@code db1 (ssh)}. */
    @Override
    public String toString() {
        return address + " (" + transport.label() + ")";
    }
}
