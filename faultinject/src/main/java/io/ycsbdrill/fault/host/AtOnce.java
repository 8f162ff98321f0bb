package io.ycsbdrill.fault.host;

import io.ycsbdrill.base.Daemon;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Questions to many hosts at the same time, each on a thread of its own, as each may have to wait for a host that is silent. */
public final class AtOnce {
    private AtOnce() {}

    /** Begins to ask. */
    public static <T> CompletableFuture<T> ask(Supplier<T> question) {
        return CompletableFuture.supplyAsync(question, task -> {
            Daemon.thread(task, "host-ask").start();
        });
    }
}
