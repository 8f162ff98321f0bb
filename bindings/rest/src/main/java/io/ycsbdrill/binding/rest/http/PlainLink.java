package io.ycsbdrill.binding.rest.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.CharsetUtil;
import io.ycsbdrill.binding.rest.http.LinkFailure.Kind;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SocketChannel;

/**
 * A thread's own connection with HTTP/1.1 and without TLS: the thread writes its request and sleeps in the read of the reply, so
 * that a request costs two system calls and no change of threads. {@link Deadlines} closes the connection when the reply is late.
 * Between requests nothing is read: what the server did meanwhile is seen before the next one. Owned by the thread that opened it.
 */
final class PlainLink implements Link {
    private static final int FIRST_SIZE = 4096;
    private static final int LARGEST_KEPT = 1 << 20;
    private static final int LARGEST_READ = 1 << 16;

    private final Thread owner = Thread.currentThread();
    private final HttpSettings settings;
    private final byte[] prefix;
    private final byte[] fixed;
    private final SocketChannel socket;
    private final Deadlines.Deadline deadline;
    private final OneReply reply = new OneReply();
    /** Decodes what was read into replies. */
    private final EmbeddedChannel http = new EmbeddedChannel();

    private final IdleTime idle;
    private ByteBuf out = Unpooled.buffer(1024);
    private ByteBuf in = Unpooled.buffer(FIRST_SIZE);

    private PlainLink(HttpSettings settings, Connector connector, Endpoint endpoint, SocketChannel socket) {
        this.settings = settings;
        this.prefix = endpoint.prefix().getBytes(CharsetUtil.US_ASCII);
        this.fixed = connector.fixedHeaders(endpoint);
        this.socket = socket;
        this.idle = new IdleTime(settings.idleTimeout());
        this.deadline = connector.deadlines().of(socket);
        Connector.readReplies(http, reply);
    }

    /** As {@link Connector#open}, without TLS. */
    static Link open(Connector connector, HttpSettings settings, Endpoint endpoint) throws IOException {
        InetSocketAddress address = new InetSocketAddress(endpoint.host(), endpoint.port());
        if (address.isUnresolved()) {
            throw new UnknownHostException("no address is known for " + endpoint.host());
        }
        SocketChannel socket = SocketChannel.open();
        boolean opened = false;
        try {
            socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
            socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            socket.socket().connect(address, (int) settings.connectTimeout().toMillis());
            opened = true;
        } catch (SocketTimeoutException e) {
            throw Connector.late(settings);
        } finally {
            if (!opened) {
                socket.close();
            }
        }
        return new PlainLink(settings, connector, endpoint, socket);
    }

    @Override
    public Reply send(Request request) throws LinkFailure {
        reply.begin();
        if (out.capacity() > LARGEST_KEPT) {
            out = Unpooled.buffer(1024);
        }
        request.writeTo(out.clear(), prefix, fixed);
        deadline.begin(System.nanoTime() + settings.timeout().toNanos());
        IOException broken = null;
        try {
            write();
        } catch (IOException e) {
            broken = e; // a server may refuse a request before it has read it all: its reply is there already
        }
        try {
            while (!reply.isDone()) {
                read();
            }
        } catch (IOException e) {
            reply.gone(reason(broken == null ? e : broken));
        }
        if (deadline.end()) {
            reply.gone(settings.noReply());
            throw new LinkFailure(Kind.TIMED_OUT, settings.noReply());
        }
        if (broken != null) {
            reply.gone(reason(broken));
        }
        idle.used(System.nanoTime());
        return reply.end();
    }

    private void write() throws IOException {
        ByteBuffer bytes = out.internalNioBuffer(0, out.writerIndex());
        while (bytes.hasRemaining()) {
            socket.write(bytes);
        }
    }

    private static String reason(IOException e) {
        if (e instanceof ClosedByInterruptException) {
            return "interrupted";
        }
        return e.getMessage() == null ? e.toString() : e.getMessage();
    }

    /** What there is, or nothing if the socket does not block. */
    private void read() throws IOException {
        if (in.refCnt() > 1) {
            // A part of it is not understood before the rest has come.
            in.release();
            in = Unpooled.buffer(in.capacity());
        }
        int size = in.capacity();
        int length = socket.read(in.clear().internalNioBuffer(0, size));
        if (length < 0) {
            http.finish();
        } else if (length > 0) {
            http.writeInbound(in.writerIndex(length).retain());
        }
        if (length == size && size < LARGEST_READ) {
            in.release();
            in = Unpooled.buffer(size * 2);
        }
    }

    @Override
    public boolean usable() {
        long now = System.nanoTime();
        if (idle.isTooLong(now)) {
            reply.gone("idle for longer than rest.idle.timeout");
        } else if (!reply.isGone() && idle.isWorthALook(now)) {
            look();
        }
        return !reply.isGone();
    }

    private void look() {
        try {
            socket.configureBlocking(false);
            read();
            socket.configureBlocking(true);
        } catch (IOException e) {
            reply.gone(reason(e));
        }
    }

    /** Another thread than the owner only ends the connection. */
    @Override
    public void close() {
        deadline.close();
        if (Thread.currentThread() == owner) {
            reply.gone("closed");
            http.close();
        }
    }
}
