package io.ycsbdrill.client.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server that knows {@code SET key} and {@code GET key}, a line each, and is gone, with its connections, while a file is there. */
final class LineServer implements AutoCloseable {
    private final Path down;
    private final int port;
    private final Set<String> keys = ConcurrentHashMap.newKeySet();
    private final List<Socket> connections = new CopyOnWriteArrayList<>();
    private volatile ServerSocket listening;
    private volatile boolean closed;

    LineServer(Path down) throws IOException {
        this.down = down;
        listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        port = listening.getLocalPort();
        start(() -> accept(listening));
        start(this::watch);
    }

    int port() {
        return port;
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "line-server");
        thread.setDaemon(true);
        thread.start();
    }

    private void watch() {
        try {
            while (!closed) {
                Thread.sleep(10);
                boolean wanted = !Files.exists(down);
                if (!wanted && !listening.isClosed()) {
                    end();
                } else if (wanted && listening.isClosed() && !closed) {
                    ServerSocket again = new ServerSocket();
                    again.setReuseAddress(true);
                    again.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                    listening = again;
                    start(() -> accept(again));
                }
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void accept(ServerSocket at) {
        try {
            while (true) {
                Socket connection = at.accept();
                connections.add(connection);
                start(() -> serve(connection));
            }
        } catch (IOException e) {
            // It was ended.
        }
    }

    private void serve(Socket connection) {
        try (connection) {
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.US_ASCII));
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String key = line.substring(4);
                boolean there = line.startsWith("SET ") ? keys.add(key) || true : keys.contains(key);
                connection.getOutputStream().write((there ? "+\n" : "-\n").getBytes(StandardCharsets.US_ASCII));
            }
        } catch (IOException e) {
            // It was ended.
        }
    }

    private void end() throws IOException {
        listening.close();
        for (Socket connection : connections) {
            connection.close();
        }
        connections.clear();
    }

    @Override
    public void close() throws IOException {
        closed = true;
        end();
    }
}
