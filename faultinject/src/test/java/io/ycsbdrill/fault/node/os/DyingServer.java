package io.ycsbdrill.fault.node.os;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A server on its way out, as one with many threads or much memory is for seconds after SIGKILL: its first thread has ended, so that it has
 * neither a command line nor an executable any more and is called a zombie, but another thread still has its files open.
 */
public final class DyingServer {
    private static final String PROGRAM = """
            #include <pthread.h>
            #include <unistd.h>
            #include <sys/syscall.h>
            static void *rest(void *seconds) { sleep(*(int *) seconds); _exit(0); }
            int main(int count, char **arguments) {
                static int seconds;
                seconds = count - 1;
                pthread_t other;
                pthread_create(&other, 0, rest, &seconds);
                syscall(SYS_exit, 0);
            }
            """;

    private DyingServer() {}

    /**
     * Starts it, and returns when its first thread has ended; skips the test where there is no C compiler.
     *
     * @param program a file that is made, and is its executable
     * @param seconds until it has ended altogether
     */
    public static Process start(Path program, Path directory, int seconds) throws IOException, InterruptedException {
        Path source = Files.writeString(program.resolveSibling("dying.c"), PROGRAM);
        assumeTrue(Launcher.program("cc").isPresent(), "no C compiler (cc) is installed");
        Process compiler = new ProcessBuilder("cc", "-pthread", "-o", program.toString(), source.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(compiler.getInputStream().readAllBytes());
        assumeTrue(compiler.waitFor() == 0, said);
        ProcessBuilder builder = new ProcessBuilder(program.toString()).directory(directory.toFile());
        for (int i = 0; i < seconds; i++) {
            builder.command().add("a-second");
        }
        Process server = builder.start();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (ProcFs.stat(server.pid()).orElseThrow().state() != 'Z') {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("its first thread has not ended");
            }
            Thread.onSpinWait();
        }
        return server;
    }
}
