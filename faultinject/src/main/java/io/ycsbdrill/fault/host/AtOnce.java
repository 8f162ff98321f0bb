package io.ycsbdrill.fault.host;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Questions to many hosts at the same time, each on a thread of its own, as each may have to wait for a host that is silent. */
public final class AtOnce {
    private AtOnce() {}

    /** Begins to ask. */
    public static <T> CompletableFuture<T> ask(Supplier<T> question) {
        return CompletableFuture.supplyAsync(question, task -> {
            Thread thread = new Thread(task, "host-ask");
            thread.setDaemon(true);
            thread.start();
        });
    }
}
