package io.ycsbdrill.fault.node.haproxy;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;

/**
 * The condition under which a server gets connections. One of MySQL's protocol greets, takes the login of the user {@code ycsb} without
 * a password, and answers one command as expected: HAProxy's own {@code mysql-check} ends with the login, which a Galera node takes before
 * it may serve. Patroni says over HTTP whether its server is the primary.
 */
public enum HealthCheck {
    /**
     * A MySQL server that answers a ping.
     */
    ANSWERS("caching_sha2_password", "\u000e", "rbinary ^[0-9A-F]{6}0100"),
    /**
     * A Galera node that is synced, or copies its data to another one: that one serves as well, and its connections are not
     * to be cut.
     */
    SYNCED(
            "mysql_native_password",
            "\u0003SHOW STATUS LIKE 'wsrep_local_state_comment'",
            "rstring Synced|Donor/Desynced"),
    /** The PostgreSQL whose Patroni holds the leader's key; of all servers at most one. */
    PRIMARY("", "", "");

    /** LONG_PASSWORD, PROTOCOL_41, SECURE_CONNECTION, PLUGIN_AUTH. */
    private static final int CAPABILITIES = 0x88201;

    private static final int LARGEST_PACKET = 1 << 24;
    private static final byte UTF8 = 33;
    private static final String QUIT = "\u0001";

    private final String plugin;
    private final String command;
    private final String expected;

    HealthCheck(String plugin, String command, String expected) {
        this.plugin = plugin;
        this.command = command;
        this.expected = expected;
    }

    /** Whether it has found what it is to find in a new cluster. */
    boolean satisfied(List<ProxiedServer> seen) {
        return this == PRIMARY
                ? seen.stream().anyMatch(ProxiedServer::checked)
                : seen.stream().allMatch(ProxiedServer::checked);
    }

    /** The same in words. */
    String wanted() {
        return this == PRIMARY ? "any server" : "every server";
    }

    /** The lines of HAProxy's configuration. */
    List<String> lines() {
        if (this == PRIMARY) {
            return List.of("option httpchk OPTIONS /primary", "http-check expect status 200");
        }
        return List.of(
                "option tcp-check",
                "tcp-check connect",
                "tcp-check expect rbinary ^[0-9A-F]{6}000A comment greeting",
                "tcp-check send-binary " + login(),
                "tcp-check expect rbinary ^[0-9A-F]{6}0200 comment login",
                "tcp-check send-binary " + packet(0, command.getBytes(StandardCharsets.US_ASCII)),
                "tcp-check expect " + expected,
                "tcp-check send-binary " + packet(0, QUIT.getBytes(StandardCharsets.US_ASCII)));
    }

    private String login() {
        ByteBuffer fixed = ByteBuffer.allocate(32).order(ByteOrder.LITTLE_ENDIAN);
        fixed.putInt(CAPABILITIES).putInt(LARGEST_PACKET).put(UTF8);
        ByteArrayOutputStream login = new ByteArrayOutputStream();
        login.writeBytes(fixed.array());
        login.writeBytes(("ycsb\0\0" + plugin + "\0").getBytes(StandardCharsets.US_ASCII));
        return packet(1, login.toByteArray());
    }

    /** A packet of MySQL's protocol in hexadecimal: three bytes of length, one of sequence, the content. */
    private static String packet(int sequence, byte[] content) {
        ByteBuffer packet = ByteBuffer.allocate(4 + content.length).order(ByteOrder.LITTLE_ENDIAN);
        packet.putInt(content.length | sequence << 24).put(content);
        return HexFormat.of().formatHex(packet.array());
    }
}
