package io.ycsbdrill.client.live;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.ycsbdrill.base.Daemon;
import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.base.PlainText;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.run.RunCompanion;
import io.ycsbdrill.client.run.RunSpec;
import io.ycsbdrill.report.live.LiveFeed;
import io.ycsbdrill.rundir.RunFormatException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The live page and the metrics of one command: {@code /} the page, {@code /events} what it shows as server-sent events,
 * {@code /metrics} for Prometheus. Works on its own threads, {@code live-N}, and only when asked; a client thread never waits for it. The methods
 * are called by the command's thread.
 */
public final class LiveServer implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long MILLIS_BETWEEN_EVENTS = 1000;
    private static final long MILLIS_TO_SAY_THE_END = 3000;
    private static final int MOST_PAGES = 16;
    /** Whoever can reach the page must not be able to fill this process with threads and connections. */
    private static final int MOST_THREADS = 2 * MOST_PAGES;

    private static final int MOST_CONNECTIONS = 200;
    private static final int MOST_SECONDS_OF_A_REQUEST = 20;

    private final LiveFeed feed = new LiveFeed();
    private final Supplier<String> status;
    private final HttpServer server;
    private final ExecutorService threads;
    private final RequestCheck check;
    private final Semaphore pages = new Semaphore(MOST_PAGES);
    private final RunCounts counts = new RunCounts(this::moved);
    private volatile Map<String, String> info = Map.of();
    private LiveState state = LiveState.PREPARING;
    /** The figures of a run of several clients, until it is complete. */
    private Optional<GroupFigures> figures = Optional.empty();

    private LiveServer(HttpServer server, RequestCheck check, ExecutorService threads, Supplier<String> status) {
        this.server = server;
        this.check = check;
        this.threads = threads;
        this.status = status;
    }

    /**
     * Listens.
     *
     * @param status what else to say of the run now; may be empty; asked from any thread
     * @throws ConfigException when the address cannot be had
     */
    public static LiveServer start(LiveAddress address, Supplier<String> status) {
        HttpServer http;
        InetSocketAddress bound;
        bound("jdk.httpserver.maxConnections", MOST_CONNECTIONS);
        bound("sun.net.httpserver.maxReqTime", MOST_SECONDS_OF_A_REQUEST);
        try {
            bound = address.resolve();
            http = HttpServer.create(bound, 0);
        } catch (IOException e) {
            throw new ConfigException("--live " + address + ": cannot listen there (" + e.getMessage()
                    + "); give another port, or --live without one for a free one");
        }
        AtomicInteger number = new AtomicInteger();
        ExecutorService threads = new ThreadPoolExecutor(
                0,
                MOST_THREADS,
                60,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                task -> Daemon.thread(task, "live-" + number.incrementAndGet()));
        http.setExecutor(threads);
        RequestCheck check = new RequestCheck(bound.getAddress().isLoopbackAddress(), bound.getHostString());
        LiveServer live = new LiveServer(http, check, threads, status);
        http.createContext("/", live.guarded("/", live::page));
        http.createContext("/events", live.guarded("/events", live::events));
        http.createContext("/metrics", live.guarded("/metrics", live::metrics));
        http.start();
        return live;
    }

    /** A limit of the JDK's server, which it reads when its first one is made. */
    private static void bound(String property, int value) {
        System.setProperty(property, System.getProperty(property, Integer.toString(value)));
    }

    /** The page's address, as this machine sees it. */
    public String address() {
        InetSocketAddress bound = server.getAddress();
        String host = bound.getAddress().isAnyLocalAddress()
                ? "127.0.0.1"
                : bound.getAddress().getHostAddress();
        return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + bound.getPort() + "/";
    }

    /** The load before a run begins. Its operations are shown, but are not in the metrics. */
    public void loading(RunSpec load) {
        feed.follow(load.out());
        become(LiveState.loading(load.operations()));
    }

    /**
     * The run begins that this is about.
     *
     * @param first of this process: the same, or with several clients the first one's share
     * @return to be told of the run, of all clients together
     */
    public List<RunCompanion> running(RunSpec run, RunSpec first) {
        boolean together = !run.part().isShare() && first.part().isShare();
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put("mode", run.mode().name().toLowerCase(Locale.ROOT));
        labels.put("binding", run.binding());
        labels.put("workload", run.workloadName());
        labels.put(
                "threads",
                Integer.toString(run.threads() * (together ? first.part().of() : 1)));
        info = Map.copyOf(labels);
        if (together) {
            GroupFigures all = new GroupFigures(run.window());
            figures = Optional.of(all);
            feed.follow(first.out(), all.directory());
            return List.of(counts, all);
        }
        feed.follow(run.out());
        return List.of(counts);
    }

    /** The run directory is complete; of several clients, it is merged. */
    public void complete(RunSpec run) {
        figures.ifPresent(all -> {
            feed.follow(run.out());
            all.close();
        });
        figures = Optional.empty();
    }

    private void moved() {
        become(counts.hasEnded() ? LiveState.CLOSING : LiveState.RUNNING);
    }

    /**
     * Announces the end to open pages, and that nothing follows.
     *
     * @param good whether the command succeeds
     * @param text why not, or where the report is
     */
    public void ended(boolean good, String headline, String text) {
        become(new LiveState("ended", headline, text, good ? "pass" : "fail", true));
    }

    private synchronized void become(LiveState next) {
        state = next;
        notifyAll();
    }

    /** Waits for a while so that open pages learn the end; then nothing is served any more. */
    @Override
    public void close() {
        synchronized (this) {
            if (!state.last()) {
                ended(false, "Ended without a run", "see the terminal for the reason");
            }
        }
        try {
            if (pages.tryAcquire(MOST_PAGES, MILLIS_TO_SAY_THE_END, TimeUnit.MILLISECONDS)) {
                pages.release(MOST_PAGES);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        server.stop(0);
        threads.shutdownNow();
        figures.ifPresent(GroupFigures::close);
    }

    private HttpHandler guarded(String path, HttpHandler handler) {
        return exchange -> {
            try (exchange) {
                var headers = exchange.getResponseHeaders();
                headers.set("Cache-Control", "no-store");
                headers.set("X-Content-Type-Options", "nosniff");
                headers.set("X-Frame-Options", "DENY");
                headers.set("Cross-Origin-Resource-Policy", "same-origin");
                headers.set("Referrer-Policy", "no-referrer");
                if (!check.good(exchange.getRequestHeaders())) {
                    refuse(exchange, 403, "the host of the request is neither an address nor this machine's name");
                } else if (!exchange.getRequestURI().getPath().equals(path)) {
                    refuse(exchange, 404, "not found; available: /, /events and /metrics");
                } else if (!exchange.getRequestMethod().equals("GET")) {
                    refuse(exchange, 405, "only GET");
                } else {
                    handler.handle(exchange);
                }
            }
        };
    }

    private static void refuse(HttpExchange exchange, int code, String why) throws IOException {
        answer(exchange, code, "text/plain; charset=utf-8", (why + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private static void answer(HttpExchange exchange, int code, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(code, body.length);
        exchange.getResponseBody().write(body);
    }

    private void page(HttpExchange exchange) throws IOException {
        answer(exchange, 200, "text/html; charset=utf-8", LiveFeed.page().getBytes(StandardCharsets.UTF_8));
    }

    private void metrics(HttpExchange exchange) throws IOException {
        feed.read();
        answer(exchange, 200, RunMetrics.CONTENT_TYPE, RunMetrics.text(counts, feed, now().name(), info));
    }

    private synchronized LiveState now() {
        return state;
    }

    private void events(HttpExchange exchange) throws IOException {
        if (!pages.tryAcquire()) {
            refuse(exchange, 503, "there are " + MOST_PAGES + " pages open already");
            return;
        }
        try {
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream; charset=utf-8");
            exchange.sendResponseHeaders(200, 0);
            tell(exchange.getResponseBody());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            // The end of the stream has to be out before the last one to be released lets the server stop.
            exchange.close();
            pages.release();
        }
    }

    private void tell(OutputStream page) throws IOException, InterruptedException {
        LiveFeed.Position position = LiveFeed.Position.NONE;
        LiveState said;
        do {
            said = now();
            LiveFeed.Update update = update(position);
            position = update.upTo();
            page.write(("data: " + message(said, update.json()) + "\n\n").getBytes(StandardCharsets.UTF_8));
            page.flush();
            awaitChange(said);
        } while (!said.last());
    }

    private LiveFeed.Update update(LiveFeed.Position position) throws IOException {
        try {
            return feed.since(position);
        } catch (RunFormatException | UncheckedIOException e) {
            // The run goes on; what is wrong with its files is said by its report.
            return new LiveFeed.Update(position, "{}");
        }
    }

    private String message(LiveState said, String update) {
        ObjectNode message = JSON.createObjectNode()
                .put("state", said.name())
                .put("headline", said.headline())
                .put("text", said.name().equals("running") ? runningText() : said.text())
                .put("kind", said.kind())
                .put("last", said.last());
        message.putRawValue("feed", new RawValue(update));
        return PlainText.inJson(message.toString());
    }

    private String runningText() {
        String more = status.get();
        return Formatted.of("for %.0f s", counts.elapsedSeconds()) + (more.isEmpty() ? "" : "; " + more);
    }

    private synchronized void awaitChange(LiveState said) throws InterruptedException {
        if (state == said && !said.last()) {
            wait(MILLIS_BETWEEN_EVENTS);
        }
    }
}
