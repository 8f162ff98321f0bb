package io.ycsbdrill.client.cli.status;

import io.ycsbdrill.base.Io;
import java.io.IOException;
import java.io.PrintStream;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/**
 * The line of the terminal that a progress bar is drawn on, as wide as the terminal is at the moment. The library's own
 * would ask a terminal that sets SIGINT back to the system's default, so that Ctrl-C would end the process at once, with
 * the run directory incomplete and faults not healed.
 */
final class TerminalLine extends ConsoleProgressBarConsumer {
    private static final int USUAL_WIDTH = 80;

    private final Terminal terminal;

    TerminalLine(PrintStream out) {
        super(out);
        terminal = Io.get(
                "the terminal cannot be asked for its width",
                () -> TerminalBuilder.builder().dumb(true).nativeSignals(false).build());
    }

    @Override
    public int getMaxRenderedLength() {
        int width = terminal.getWidth();
        return (width > 0 ? width : USUAL_WIDTH) - 1;
    }

    @Override
    public void close() {
        super.close();
        try {
            terminal.close();
        } catch (IOException e) {
            // The bar is gone; the terminal's modes were never changed.
        }
    }
}
