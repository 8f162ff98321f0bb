package io.ycsbdrill.fault.node.haproxy;

import io.ycsbdrill.base.Counted;
import java.io.IOException;
import java.io.InputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * A server as HAProxy sees it.
 *
 * @param name the node's
 * @param up whether it gets connections
 * @param checked whether its last check succeeded; a server that was not checked yet gets connections as well
 * @param connections open now
 * @param total connections since the proxy was started
 */
public record ProxiedServer(String name, boolean up, boolean checked, int connections, long total) {
    /** Servers, and nothing else, of every listener. */
    private static final String QUESTION = "show stat -1 4 -1\n";

    /** Asks the process that listens on the socket; empty when none answers. */
    static List<ProxiedServer> ask(Path socket) {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(socket));
            channel.write(ByteBuffer.wrap(QUESTION.getBytes(StandardCharsets.US_ASCII)));
            InputStream in = Channels.newInputStream(channel);
            return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            return List.of(); // not there yet, or no more
        }
    }

    /** @param csv with a line of column names; text that may hold commas comes after the columns wanted here */
    static List<ProxiedServer> parse(String csv) {
        List<String> lines = csv.lines().filter(line -> !line.isBlank()).toList();
        if (lines.isEmpty()) {
            return List.of();
        }
        List<String> columns = List.of(lines.get(0).replaceFirst("^# ", "").split(",", -1));
        return lines.stream()
                .skip(1)
                .map(line -> line.split(",", -1))
                .map(cells -> new ProxiedServer(
                        cells[columns.indexOf("svname")],
                        cells[columns.indexOf("status")].startsWith("UP"),
                        cells[columns.indexOf("check_status")].endsWith("L7OK"),
                        Integer.parseInt(cells[columns.indexOf("scur")]),
                        Long.parseLong(cells[columns.indexOf("stot")])))
                .toList();
    }

    /** For people: {@code node1 up, 2 connections}. */
    @Override
    public String toString() {
        return name + (up ? " up" : " down") + ", " + Counted.of(connections, "connection");
    }
}
