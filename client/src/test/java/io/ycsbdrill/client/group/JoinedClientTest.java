package io.ycsbdrill.client.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ycsbdrill.client.run.BenchmarkRun;
import io.ycsbdrill.client.run.RunResult;
import io.ycsbdrill.client.run.RunSpecText;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The other end of the pipe, in this process. */
@Timeout(120)
class JoinedClientTest {
    @TempDir
    private Path directory;

    private final ConcurrentLinkedQueue<String> answers = new ConcurrentLinkedQueue<>();
    private Duration ahead = Duration.ofMillis(250);

    /** Each answer is given to the consumer. */
    private PrintStream answers(Consumer<String> each) {
        StringBuilder line = new StringBuilder();
        return new PrintStream(
                new OutputStream() {
                    @Override
                    public void write(int b) {
                        if (b != '\n') {
                            line.append((char) b);
                            return;
                        }
                        if (!line.toString().startsWith(ClientProcess.INTERVAL)) {
                            answers.add(line.toString());
                        }
                        each.accept(line.toString());
                        line.setLength(0);
                    }
                },
                true,
                StandardCharsets.UTF_8);
    }

    private RunResult run(String... ordersWhenReady) throws IOException {
        try (PipedOutputStream orders = new PipedOutputStream();
                PipedInputStream in = new PipedInputStream(orders, 1 << 16)) {
            send(orders, RunSpecText.write(EndlessRun.of(2, 2, directory.resolve("run-" + ahead.toMillis()))));
            PrintStream out = answers(answer -> {
                if (answer.equals("ready")) {
                    for (String order : ordersWhenReady) {
                        send(
                                orders,
                                order.equals("start") ? "start " + Instant.now().plus(ahead) : order);
                    }
                }
            });
            return JoinedClient.of(in, out, () -> answers.add("halted"), spec -> List.of())
                    .execute(BenchmarkRun::execute);
        }
    }

    private static void send(PipedOutputStream orders, String line) {
        try {
            if (line.equals("close")) {
                orders.close();
            } else {
                orders.write((line + "\n").getBytes(StandardCharsets.UTF_8));
                orders.flush();
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void startsWhenItIsToldToAndEndsWhenItIsToldTo() throws IOException {
        RunResult result;
        do { // A busy machine may need longer to hear of it.
            ahead = ahead.multipliedBy(2);
            answers.clear();
            result = run("start", "end");
        } while (result.state() != RunResult.State.COMPLETE);

        assertThat(answers).containsExactly("ready", "over COMPLETE");
        JsonNode run = new ObjectMapper()
                .readTree(result.directory().resolve("run.json").toFile());
        assertThat(Instant.parse(run.at("/start/actual").asText()))
                .isAfterOrEqualTo(Instant.parse(run.at("/start/asked").asText()));
        assertThat(run.at("/part/number").asInt()).isEqualTo(2);
    }

    @Test
    void isIncompleteForTheReasonThatItIsTold() throws IOException {
        RunResult result = run("stop client 3 of 3 ended early, so all do");

        assertThat(answers).containsExactly("ready", "over INCOMPLETE");
        assertThat(result.reasons()).containsExactly("client 3 of 3 ended early, so all do");
    }

    @Test
    void endsWhenWhoeverStartedItIsGone() throws IOException {
        RunResult result = run("close");

        assertThat(answers).containsExactly("ready", "over INCOMPLETE");
        assertThat(result.reasons()).containsExactly("the command that started this client has ended");
    }

    @Test
    void refusesWhatNobodyHasWrittenForIt() {
        assertThatThrownBy(() -> JoinedClient.of(
                        new ByteArrayInputStream("hello\n".getBytes(StandardCharsets.UTF_8)),
                        answers(a -> {}),
                        () -> {},
                        spec -> List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not a run that was recorded");
    }
}
