package io.ycsbdrill.client.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;

/**
 * A binding as other people write them, for {@link LineServer}: it connects once. When the connection breaks it throws, as YCSB's own for
 * Redis does, or answers {@code ERROR} for ever after, as its own for JDBC does ({@code line.throws=false}).
 */
public final class LineDb extends DB {
    private Socket socket;
    private BufferedReader in;
    private boolean throwing;

    @Override
    public void init() throws DBException {
        throwing = Boolean.parseBoolean(getProperties().getProperty("line.throws"));
        try {
            socket = new Socket(
                    getProperties().getProperty("redis.host"),
                    Integer.parseInt(getProperties().getProperty("redis.port")));
            in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new DBException(e);
        }
    }

    @Override
    public void cleanup() throws DBException {
        try {
            socket.close();
        } catch (IOException e) {
            throw new DBException(e);
        }
    }

    private Status sent(String line) {
        try {
            socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.US_ASCII));
            String answer = in.readLine();
            if (answer == null) {
                throw new IOException("end of stream");
            }
            return answer.equals("+") ? Status.OK : Status.NOT_FOUND;
        } catch (IOException e) {
            if (throwing) {
                throw new IllegalStateException(e);
            }
            return Status.ERROR;
        }
    }

    @Override
    public Status read(String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
        Status status = sent("GET " + key);
        if (status.isOk()) {
            result.put("field0", new StringByteIterator("v"));
        }
        return status;
    }

    @Override
    public Status scan(
            String table, String start, int count, Set<String> fields, Vector<HashMap<String, ByteIterator>> result) {
        return Status.NOT_IMPLEMENTED;
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
        return sent("SET " + key);
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
        return sent("SET " + key);
    }

    @Override
    public Status delete(String table, String key) {
        return Status.NOT_IMPLEMENTED;
    }
}
