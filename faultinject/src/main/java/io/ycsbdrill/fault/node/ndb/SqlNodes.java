package io.ycsbdrill.fault.node.ndb;

import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.HistoryWatch;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.kit.ProcessNodes;
import io.ycsbdrill.fault.node.os.OsProcess;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** The SQL nodes of a local cluster, {@code sql1}, {@code sql2}, ...: MySQL servers, which hold no rows of NDB tables. */
final class SqlNodes extends ProcessNodes<SqlWatch.History> {
    private static final String PREFIX = "sql";
    private static final int GREETING_MILLIS = 2_000;
    /** How far an event may lag behind the state. */
    private static final Duration EVENT_BOUND = Duration.ofSeconds(5);

    private final NdbPrograms programs;
    private final NdbFiles files;
    private final List<Integer> ports;
    private final SqlWatch watch;
    private boolean watching;

    /** @param ports of the servers, in order */
    SqlNodes(NdbPrograms programs, NdbFiles files, List<Integer> ports) {
        super(IntStream.rangeClosed(1, ports.size()).mapToObj(i -> PREFIX + i).toList());
        this.programs = programs;
        this.files = files;
        this.ports = ports;
        Map<String, Path> logs = new LinkedHashMap<>();
        ids().forEach(node -> logs.put(node, log(node)));
        watch = new SqlWatch(logs, this::process);
    }

    static int number(String node) {
        return Integer.parseInt(node.substring(PREFIX.length()));
    }

    private int port(String node) {
        return ports.get(number(node) - 1);
    }

    boolean has(String node) {
        return ids().contains(node);
    }

    @Override
    protected HistoryWatch<SqlWatch.History> watch() {
        return watch;
    }

    @Override
    protected Path pidFile(String node) {
        return files.pid(NdbPrograms.sqlName(number(node)));
    }

    @Override
    protected Process launch(String node, boolean empty) {
        return programs.startSql(number(node));
    }

    /** As soon as it runs: whether it is watched depends on listeners. */
    @Override
    protected boolean reported(String node, Process launched) {
        return true;
    }

    /** SIGTERM: the server ends its connections and shuts down. */
    @Override
    protected void requestStop(String node, OsProcess process, Mode mode) {
        if (mode == Mode.ABORT) {
            throw new NodeControlException(node + " is a SQL node, which cannot be aborted; use kill");
        }
        process.signal("TERM");
    }

    @Override
    public void startInitial(String node) {
        throw new NodeControlException(node + " is a SQL node; only data nodes can be initialised");
    }

    @Override
    protected NodeStatus status(String node, OsProcess process) {
        State state = greets(port(node)) ? State.STARTED : State.STARTING;
        return status(node, state, "SQL node on port " + port(node), process);
    }

    /** Whether a MySQL server sends its greeting: a packet that begins with protocol version 10. */
    static boolean greets(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), GREETING_MILLIS);
            socket.setSoTimeout(GREETING_MILLIS);
            InputStream in = socket.getInputStream();
            byte[] start = in.readNBytes(5);
            return start.length == 5 && start[4] == 10;
        } catch (IOException e) {
            return false; // not yet
        }
    }

    @Override
    protected boolean recovered(String node) {
        return status(node).state() == State.STARTED;
    }

    @Override
    public void awaitStarted(String node, Duration bound) {
        super.awaitStarted(node, bound);
        // So that listeners hear of it before the caller goes on.
        NodeLocks.holds(EVENT_BOUND, () -> !watch.running() || watch.reported(h -> h.recovered(node)));
    }

    @Override
    protected Path data(String node) {
        return files.sqlData(number(node));
    }

    @Override
    protected Path log(String node) {
        return files.output(NdbPrograms.sqlName(number(node)));
    }

    @Override
    protected String lastWords(String node) {
        return "; it printed: " + programs.lastLines(NdbPrograms.sqlName(number(node)));
    }

    @Override
    public synchronized AutoCloseable listen(Consumer<EngineEvent> listener) {
        if (!watching && !ports.isEmpty()) {
            watching = true;
            watch.start();
        }
        return super.listen(listener);
    }
}
