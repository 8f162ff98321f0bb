package io.ycsbdrill.client.cli;

import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.cratedb.TestedCrateDb;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Prints what CrateDB's servers say that they do when a test takes half a minute: once a read of the contract had no answer within
 * 75 s, and neither the servers nor the client were there any more to say why.
 */
final class WhatServersDo implements BeforeAllCallback, AfterAllCallback, BeforeEachCallback, AfterEachCallback {
    private static final int PATIENCE_SECONDS = 30;
    private static final String[] QUESTIONS = {
        "select node['name'], id, started, stmt from sys.jobs",
        "select node['name'], job_id, name, started from sys.operations",
        "select node['name'], table_name, id, \"primary\", state, routing_state, recovery['stage'] from sys.shards"
                + " where state <> 'STARTED' or routing_state <> 'STARTED'",
        "select name, heap['used'], heap['max'], connections['http'] from sys.nodes",
    };

    private final Supplier<LocalCluster> cluster;
    private ScheduledExecutorService timer;
    private ScheduledFuture<?> waiting;

    WhatServersDo(Supplier<LocalCluster> cluster) {
        this.cluster = cluster;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        timer = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread thread = new Thread(work, "what-servers-do");
            thread.setDaemon(true);
            return thread;
        });
    }

    @Override
    public void afterAll(ExtensionContext context) {
        timer.shutdownNow();
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        Thread tested = Thread.currentThread();
        waiting = timer.schedule(() -> tell(context.getDisplayName(), tested), PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        waiting.cancel(true);
    }

    private void tell(String test, Thread tested) {
        System.out.println(test + " has taken " + PATIENCE_SECONDS + " s; its thread is at");
        Arrays.stream(tested.getStackTrace()).limit(15).forEach(line -> System.out.println("  " + line));
        for (String question : QUESTIONS) {
            System.out.println(question);
            try {
                System.out.println("  " + TestedCrateDb.execute(cluster.get(), question));
            } catch (IOException | AssertionError e) {
                System.out.println("  " + e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
