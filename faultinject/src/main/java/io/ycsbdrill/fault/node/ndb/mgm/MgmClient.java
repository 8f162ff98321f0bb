package io.ycsbdrill.fault.node.ndb.mgm;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.LineBasedFrameDecoder;
import io.netty.handler.codec.string.StringDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * Asks a cluster's management servers. Each request has a connection of its own, to the server that was preferred or answered
 * last, or to the next one that can be reached; after one that did not answer, the next request goes to the next one. A request
 * that was sent is never sent again, since it may have been carried out. Thread-safe; calls that ask block, and must not come
 * from the event loop.
 */
public final class MgmClient {
    /** Longest line accepted: an event with a thousand data words fits. */
    static final int MAX_LINE = 64 * 1024;

    private static final Duration CONNECT_BOUND = Duration.ofSeconds(5);
    private static final Duration ANSWER_BOUND = Duration.ofSeconds(10);

    private final ConnectString servers;
    private final EventLoopGroup loop;
    private final AtomicInteger preferred = new AtomicInteger();

    public MgmClient(ConnectString servers, EventLoopGroup loop) {
        this.servers = servers;
        this.loop = loop;
    }

    public ConnectString servers() {
        return servers;
    }

    /** The next request goes to this one of the servers first. */
    public void prefer(ConnectString.Server server) {
        preferred.set(Math.max(0, servers.servers().indexOf(server)));
    }

    /** The servers' own version, for example {@code mysql-9.7.2 ndb-9.7.2}. */
    public String version() {
        return ask(List.of("get version"), ANSWER_BOUND).get("string", "unknown");
    }

    /** The data nodes, in order of node id. */
    public List<MgmNode> dataNodes() {
        MgmReply reply = ask(List.of("get status", "types: NDB"), ANSWER_BOUND);
        if (!reply.header().equals("node status")) {
            throw new MgmException("management server answered get status with \"" + reply.header() + "\" "
                    + reply.fields() + "; expected \"node status\"");
        }
        return MgmNode.parse(reply).stream()
                .filter(MgmNode::data)
                .sorted((a, b) -> Integer.compare(a.id(), b.id()))
                .toList();
    }

    /** Ends the node's process; answered only when the node has stopped. */
    public void stop(int node, boolean abort, Duration bound) {
        order(
                "stop",
                node,
                List.of("stop v2", "node: " + node, "abort: " + (abort ? 1 : 0), "force: 0"),
                "stopped",
                bound);
    }

    /**
     * Restarts the node's process through its angel; answered when the node has stopped.
     *
     * @param initial whether it starts without its files
     * @param wait whether the new process waits for {@link #start}
     */
    public void restart(int node, boolean abort, boolean initial, boolean wait, Duration bound) {
        order(
                "restart",
                node,
                List.of(
                        "restart node v2",
                        "node: " + node,
                        "abort: " + (abort ? 1 : 0),
                        "initialstart: " + (initial ? 1 : 0),
                        "nostart: " + (wait ? 1 : 0),
                        "force: 0"),
                "restarted",
                bound);
    }

    /** Orders a node that waits in {@code NOT_STARTED} to start. */
    public void start(int node, Duration bound) {
        order("start", node, List.of("start", "node: " + node), null, bound);
    }

    /**
     * Makes a backup of the whole cluster; answered when it is complete.
     *
     * @param number which it is to have; 0 for the next one as the cluster counts them
     * @return its number
     */
    public int backUp(int number, Duration bound) {
        // completed: 2, as the command START BACKUP WAIT COMPLETED of ndb_mgm does (mgmapi.cpp)
        List<String> lines = new ArrayList<>(List.of("start backup", "completed: 2", "backuppoint: 0"));
        if (number > 0) {
            lines.add("backupid: " + number);
        }
        return accepted("the backup failed", lines, bound).number("id", 0);
    }

    /** Lets no client but one use the cluster, as soon as the data nodes have it; {@link #exitSingleUser} lets them in again. */
    public void enterSingleUser(int client, Duration bound) {
        accepted(
                "management server refused to let only API node " + client + " use the cluster",
                List.of("enter single user", "nodeId: " + client),
                bound);
    }

    /** Lets every client use the cluster, as soon as the data nodes have it. */
    public void exitSingleUser(Duration bound) {
        accepted("management server refused to let every client use the cluster", List.of("exit single user"), bound);
    }

    /**
     * Makes a node group of data nodes that are up and have none.
     *
     * @return its number
     */
    public int createNodeGroup(List<Integer> nodes, Duration bound) {
        String ids = nodes.stream().map(String::valueOf).collect(Collectors.joining(" "));
        return accepted(
                        "management server refused to make a node group of nodes " + ids,
                        List.of("create nodegroup", "nodes: " + ids),
                        bound)
                .number("ng", -1);
    }

    private void order(String what, int node, List<String> lines, String count, Duration bound) {
        MgmReply reply = accepted("management server refused to " + what + " node " + node, lines, bound);
        if (count != null && reply.number(count, 1) < 1) {
            throw new MgmException(
                    "management server answered Ok but " + what + " changed no node; asked for node " + node);
        }
    }

    private MgmReply accepted(String refusal, List<String> lines, Duration bound) {
        MgmReply reply = ask(lines, bound);
        String result = reply.get("result", "");
        if (!result.equals("Ok")) {
            throw new MgmException(refusal + ": " + (result.isEmpty() ? "\"" + reply.header() + "\"" : result));
        }
        return reply;
    }

    /**
     * Sends one request and waits for its answer.
     *
     * @throws MgmException when no server can be reached, the answer does not come within the bound, or TLS is required
     */
    MgmReply ask(List<String> lines, Duration bound) {
        List<String> failures = new ArrayList<>();
        int first = preferred.get();
        int count = servers.servers().size();
        for (int i = 0; i < count; i++) {
            int index = (first + i) % count;
            ConnectString.Server server = servers.servers().get(index);
            Conversation conversation = new Conversation(server);
            Channel channel;
            try {
                channel = connect(server, conversation);
            } catch (MgmException e) {
                failures.add(e.getMessage());
                continue;
            }
            try {
                MgmReply reply = conversation.run(channel, lines, bound);
                preferred.compareAndSet(first, index);
                return reply;
            } catch (MgmException e) {
                preferred.compareAndSet(first, (index + 1) % count);
                throw e;
            } finally {
                channel.close();
            }
        }
        throw new MgmException(
                "no management server of " + servers + " can be reached: " + String.join("; ", failures));
    }

    private Channel connect(ConnectString.Server server, Conversation conversation) {
        try {
            return bootstrap(loop, conversation, CONNECT_BOUND)
                    .connect(server.host(), server.port())
                    .sync()
                    .channel();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MgmException("interrupted while connecting to " + server, e);
        } catch (Exception e) { // Netty's sync() throws the I/O error undeclared
            throw new MgmException(server + ": " + e.getMessage(), e);
        }
    }

    static Bootstrap bootstrap(
            EventLoopGroup loop, SimpleChannelInboundHandler<String> handler, Duration connectBound) {
        return new Bootstrap()
                .group(loop)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) connectBound.toMillis())
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline()
                                .addLast(new LineBasedFrameDecoder(MAX_LINE))
                                .addLast(new StringDecoder(StandardCharsets.UTF_8))
                                .addLast(handler);
                    }
                });
    }

    static void send(Channel channel, List<String> lines) {
        channel.writeAndFlush(Unpooled.copiedBuffer(String.join("\n", lines) + "\n\n", StandardCharsets.UTF_8));
    }

    /** One connection: {@code set clientversion}, then the request. Answers come in order. */
    private static final class Conversation extends SimpleChannelInboundHandler<String> {
        private final ConnectString.Server server;
        private final Deque<CompletableFuture<MgmReply>> waiting = new ArrayDeque<>();
        private final List<String> lines = new ArrayList<>();
        private Throwable failure;

        Conversation(ConnectString.Server server) {
            this.server = server;
        }

        MgmReply run(Channel channel, List<String> request, Duration bound) {
            CompletableFuture<MgmReply> greeting = new CompletableFuture<>();
            CompletableFuture<MgmReply> answer = new CompletableFuture<>();
            channel.eventLoop().execute(() -> {
                expect(greeting);
                expect(answer);
                // Without a version of ours the server speaks as to its oldest clients.
                send(channel, List.of("set clientversion", "major: 8", "minor: 4", "build: 0"));
                send(channel, request);
            });
            try {
                MgmReply reply = answer.get(bound.toMillis(), TimeUnit.MILLISECONDS);
                if (reply.refusedForTls()) {
                    throw MgmException.tlsRequired(server);
                }
                return reply;
            } catch (TimeoutException e) {
                throw new MgmException(
                        "management server " + server + " did not answer \"" + request.get(0) + "\" within "
                                + bound.toMillis() + " ms; the request may still be carried out",
                        e);
            } catch (ExecutionException e) {
                throw new MgmException(
                        "management server " + server + " closed the connection before it answered \"" + request.get(0)
                                + "\": " + e.getCause().getMessage(),
                        e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new MgmException("interrupted while waiting for the answer to \"" + request.get(0) + "\"", e);
            }
        }

        private void expect(CompletableFuture<MgmReply> answer) {
            if (failure == null) {
                waiting.add(answer);
            } else {
                answer.completeExceptionally(failure);
            }
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, String line) {
            if (!line.isEmpty()) {
                lines.add(line);
                return;
            }
            MgmReply reply = MgmReply.parse(lines);
            lines.clear();
            if (reply.refusedForTls()) {
                waiting.forEach(w -> w.complete(reply));
                waiting.clear();
            } else if (!waiting.isEmpty()) {
                waiting.remove().complete(reply);
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            MgmReply last = MgmReply.parse(lines);
            if (last.refusedForTls()) {
                waiting.forEach(w -> w.complete(last));
                waiting.clear();
            }
            fail(new java.io.IOException("connection closed by the server"));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            fail(cause);
            context.close();
        }

        private void fail(Throwable cause) {
            if (failure == null) {
                failure = cause;
            }
            waiting.forEach(w -> w.completeExceptionally(cause));
            waiting.clear();
        }
    }
}
