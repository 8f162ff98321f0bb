package io.ycsbdrill.client.cli;

import io.ycsbdrill.client.cli.process.Signals;

/** A command that ends by itself while a signal is ending it; says what its thread is doing then. */
final class ExitOfTwo {
    static final String READY = "ready for the signal";
    static final String STATE = "the thread that exits is ";

    private ExitOfTwo() {}

    public static void main(String[] arguments) throws InterruptedException {
        Signals.install();
        Thread exit = new Thread(() -> Signals.exit(1));
        exit.setDaemon(true);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            exit.start();
            try {
                exit.join(1000);
            } catch (InterruptedException e) {
                return;
            }
            System.err.println(STATE + exit.getState());
        }));
        System.err.println(READY);
        Thread.currentThread().join();
    }
}
