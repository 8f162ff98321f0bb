package io.ycsbdrill.client.cli.process;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;

/**
 * Shuts the process down in order at the first SIGINT, SIGTERM or SIGHUP, and immediately at the second. The JVM alone ignores the
 * second, so that a hung driver could not be left by Ctrl-C.
 */
public final class Signals {
    private static final AtomicBoolean ENDING = new AtomicBoolean();

    private Signals() {}

    /** For a process that another one ends, which gets the same signals from the terminal: only SIGTERM is for itself. */
    public static void installForClient() {
        handle(List.of("INT", "HUP"), number -> {});
        handle(List.of("TERM"), number -> received(128 + number));
    }

    /**
     * Ends the process in order, with this exit code, or with that of the signal which is ending it already: to the JVM a second
     * exit is a reason to halt at once with the code of its own as soon as the shutdown hooks have ended. Does not return.
     */
    public static void exit(int exitCode) {
        while (ENDING.get()) {
            LockSupport.park();
        }
        System.exit(exitCode);
    }

    /** Ends the process at once. */
    public static void halt() {
        Runtime.getRuntime().halt(1);
    }

    /** For this process, once. Without effect on a JVM that has no {@code sun.misc.Signal}: it then keeps its own way. */
    public static void install() {
        handle(List.of("INT", "TERM", "HUP"), number -> received(128 + number));
    }

    private static void handle(List<String> names, IntConsumer received) {
        try {
            // By reflection, as javac warns about every mention of the class and has no way to be told not to.
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object ours =
                    Proxy.newProxyInstance(handler.getClassLoader(), new Class<?>[] {handler}, (p, method, args) -> {
                        if (method.getName().equals("handle")) {
                            received.accept(
                                    (Integer) signal.getMethod("getNumber").invoke(args[0]));
                            return null;
                        }
                        return method.getName().equals("hashCode")
                                ? (Object) System.identityHashCode(p)
                                : (Object) (p == args[0]);
                    });
            for (String name : names) {
                signal.getMethod("handle", signal, handler)
                        .invoke(null, signal.getConstructor(String.class).newInstance(name), ours);
            }
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            // Not this kind of JVM, or started with -Xrs: its own handling ends the process in order, too.
            return;
        }
    }

    private static void received(int exitCode) {
        if (ENDING.compareAndSet(false, true)) {
            System.err.println();
            System.err.println("shutting down (a run in progress completes its directory); repeat to exit immediately");
            new Thread(() -> System.exit(exitCode), "signal").start();
        } else {
            Runtime.getRuntime().halt(exitCode);
        }
    }
}
