package io.ycsbdrill.fault.node.ndb.mgm;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;

/** A management server that answers by a script and keeps what it was asked. Each connection has a thread. */
public final class ScriptedMgmd implements AutoCloseable {
    /** The request's lines to the bytes to answer; null closes the connection without an answer, "" says nothing. */
    private final Function<List<String>, String> script;

    public final List<List<String>> requests = new CopyOnWriteArrayList<>();

    /** Connections that asked for events, in order. */
    public final LinkedBlockingQueue<Socket> listening = new LinkedBlockingQueue<>();

    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private final ServerSocket server;

    public ScriptedMgmd(Function<List<String>, String> script) throws IOException {
        this.script = script;
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread accepting = new Thread(this::accept, "scripted-mgmd");
        accepting.setDaemon(true);
        accepting.start();
    }

    public String address() {
        return "127.0.0.1:" + server.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                open.add(socket);
                Thread thread = new Thread(() -> converse(socket), "scripted-mgmd-connection");
                thread.setDaemon(true);
                thread.start();
            }
        } catch (IOException e) {
            // closed: the end of the test
        }
    }

    private void converse(Socket socket) {
        try (socket) {
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            List<String> request = new ArrayList<>();
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (!line.isEmpty()) {
                    request.add(line);
                    continue;
                }
                List<String> whole = List.copyOf(request);
                request.clear();
                requests.add(whole);
                String answer = script.apply(whole);
                if (answer == null) {
                    return;
                }
                if (whole.get(0).equals("listen event")) {
                    listening.add(socket);
                }
                sendInPieces(socket, answer);
            }
        } catch (SocketException e) {
            // the client or the test closed it
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** Byte by byte, each its own segment: what a reader must put together. */
    public static void sendInPieces(Socket socket, String text) throws IOException {
        socket.setTcpNoDelay(true);
        OutputStream out = socket.getOutputStream();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            out.write(b);
            out.flush();
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
