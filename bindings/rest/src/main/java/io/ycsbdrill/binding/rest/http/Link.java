package io.ycsbdrill.binding.rest.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.CharsetUtil;
import io.netty.util.concurrent.Future;
import io.ycsbdrill.binding.rest.http.LinkFailure.Kind;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A thread's own connection with HTTP/1.1: the thread writes its request and sleeps in the read of the reply, so that a request costs two
 * system calls and no change of threads. {@link Deadlines} closes the connection when the reply is late.
 * Between requests nothing is read: what the server did meanwhile is seen before the next one. Owned by the thread that opened it.
 */
public final class Link implements AutoCloseable {
    private static final int FIRST_SIZE = 4096;
    private static final int LARGEST_KEPT = 1 << 20;
    private static final int LARGEST_READ = 1 << 16;
    /** Time without a request after which it is checked whether the server has closed the connection. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Thread owner = Thread.currentThread();
    private final HttpSettings settings;
    private final byte[] prefix;
    private final byte[] fixed;
    private final SocketChannel socket;
    private final Deadlines.Deadline deadline;
    private final OneReply reply = new OneReply();
    /** Decodes what was read into replies; with TLS it also encrypts what is to be written. */
    private final EmbeddedChannel http = new EmbeddedChannel();

    private final Optional<SslHandler> tls;
    private long lastUsedNanos = System.nanoTime();
    private ByteBuf out = Unpooled.buffer(1024);
    private ByteBuf in = Unpooled.buffer(FIRST_SIZE);

    private Link(HttpSettings settings, Connector connector, Endpoint endpoint, SocketChannel socket) {
        this.settings = settings;
        this.prefix = endpoint.prefix().getBytes(CharsetUtil.US_ASCII);
        this.fixed = connector.fixedHeaders(endpoint);
        this.socket = socket;
        this.deadline = connector.deadlines().of(socket);
        this.tls = connector.encryption(endpoint);
        tls.ifPresent(http.pipeline()::addLast);
        Connector.readReplies(http, reply);
    }

    /** As {@link Connector#open}. */
    static Link open(Connector connector, HttpSettings settings, Endpoint endpoint) throws IOException {
        InetSocketAddress address = new InetSocketAddress(endpoint.host(), endpoint.port());
        if (address.isUnresolved()) {
            throw new UnknownHostException("no address is known for " + endpoint.host());
        }
        long end = System.nanoTime() + settings.connectTimeout().toNanos();
        Link link = new Link(settings, connector, endpoint, SocketChannel.open());
        boolean opened = false;
        try {
            link.connect(address, end);
            opened = true;
            return link;
        } finally {
            if (!opened) {
                link.close();
            }
        }
    }

    private void connect(InetSocketAddress address, long endNanos) throws IOException {
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        try {
            socket.socket().connect(address, (int) settings.connectTimeout().toMillis());
        } catch (SocketTimeoutException e) {
            throw late();
        }
        if (tls.isPresent()) {
            deadline.begin(endNanos);
            shakeHands(tls.get().handshakeFuture());
        }
    }

    /** Returns when the server has proved who it is, as far as that was asked for. */
    private void shakeHands(Future<Channel> end) throws IOException {
        IOException broken = null;
        try {
            writeEncrypted();
            while (!end.isDone()) {
                read();
            }
        } catch (IOException e) {
            broken = e;
        }
        if (deadline.end()) {
            throw late();
        }
        if (end.cause() != null) {
            throw end.cause() instanceof IOException e
                    ? e
                    : new IOException(String.valueOf(end.cause().getMessage()), end.cause());
        }
        if (broken != null) {
            throw broken;
        }
    }

    private IOException late() {
        return new IOException(
                "no connection within " + settings.connectTimeout().toMillis() + " ms");
    }

    /**
     * Sends a request and waits for the complete reply. After a failure the link cannot be used again.
     *
     * @param request not changed
     */
    public Reply send(Request request) throws LinkFailure {
        reply.begin();
        if (out.refCnt() > 1 || out.capacity() > LARGEST_KEPT) {
            // Not all of it is encrypted yet, or it is not worth keeping.
            out.release();
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
        lastUsedNanos = System.nanoTime();
        return reply.end();
    }

    private void write() throws IOException {
        if (tls.isPresent()) {
            http.writeOutbound(out.retain());
            writeEncrypted();
        } else {
            write(out);
        }
    }

    /** What TLS has to say, requests and whatever else. */
    private void writeEncrypted() throws IOException {
        for (ByteBuf part = http.readOutbound(); part != null; part = http.readOutbound()) {
            try {
                write(part);
            } finally {
                part.release();
            }
        }
    }

    private void write(ByteBuf all) throws IOException {
        ByteBuffer bytes = all.internalNioBuffer(all.readerIndex(), all.readableBytes());
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
        if (length > 0) {
            http.writeInbound(in.writerIndex(length).retain());
            writeEncrypted();
        }
        // With TLS the server says first that it ends the connection.
        if (length < 0 || tls.filter(each -> each.sslCloseFuture().isDone()).isPresent()) {
            http.finish();
        }
        if (length == size && size < LARGEST_READ) {
            in.release();
            in = Unpooled.buffer(size * 2);
        }
    }

    /** Whether another request can be sent: the server has not closed the connection, nor said that it will. */
    public boolean usable() {
        long unused = System.nanoTime() - lastUsedNanos;
        if (unused > settings.idleTimeout().toNanos()) {
            reply.gone("idle for longer than rest.idle.timeout");
        } else if (!reply.isGone() && unused > LOOK_NANOS) {
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

    /** Closes the connection without waiting for the server. Another thread than the owner only ends it. */
    @Override
    public void close() {
        if (Thread.currentThread() == owner) {
            reply.gone("closed");
            http.close();
            sayGoodbye();
            http.releaseOutbound();
        }
        deadline.close();
    }

    /** With TLS the server is told; nothing waits until it has heard it. */
    private void sayGoodbye() {
        ByteBuf last = http.readOutbound();
        if (last != null) {
            try {
                socket.configureBlocking(false);
                socket.write(last.nioBuffer());
            } catch (IOException | NotYetConnectedException e) {
                // It is gone already.
            } finally {
                last.release();
            }
        }
    }
}
