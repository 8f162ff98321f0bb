package io.ycsbdrill.fault.host;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A script of ours for hosts, which is given a verb and its arguments. Before it stands {@code own.sh}, which all of them share.
 * Immutable.
 */
public final class HostScript {
    private final String text;

    /**
     * A script of this build.
     *
     * @param of whose package it is in
     * @param names of the files that it consists of
     */
    public HostScript(Class<?> of, String... names) {
        this.text = read(HostScript.class, "own.sh")
                + Stream.of(names).map(name -> read(of, name)).collect(Collectors.joining());
    }

    /** A text of this build. */
    public static String read(Class<?> of, String name) {
        try (InputStream in = of.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(name + " of this build cannot be read", e);
        }
    }

    /** The definition of a shell function that runs its arguments as a command, whose input is the script. */
    public String asInputOf(String function) {
        return function + "() {\n\"$@\" <<'END-OF-SCRIPT'\n" + text + "END-OF-SCRIPT\n}\n";
    }

    /** Does something on a host. */
    public HostCall on(Host host, String verb, List<String> arguments) {
        return on(host, "", verb, arguments);
    }

    /**
     * Does something on a host.
     *
     * @param definitions of functions that the script calls
     */
    public HostCall on(Host host, String definitions, String verb, List<String> arguments) {
        List<String> all = new ArrayList<>(List.of(verb));
        all.addAll(arguments);
        return host.script(definitions + text, all);
    }
}
