package io.ycsbdrill.client.cli;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * A binding as other people write them, for Redis: it asks a Sentinel who is primary when it is made, writes each row as a hash, and throws when
 * its connection breaks. It knows nothing of drills.
 */
public final class SentinelDb extends DB {
    private static final int TIMEOUT_MILLIS = 2000;

    private Socket socket;
    private InputStream in;

    @Override
    public void init() throws DBException {
        IOException last = null;
        for (String sentinel : getProperties().getProperty("redis.sentinels").split(",")) {
            try {
                connect(sentinel);
                List<?> primary = (List<?>) ask("SENTINEL", "get-master-addr-by-name", "ycsb");
                cleanup();
                connect(text(primary.get(0)) + ":" + text(primary.get(1)));
                if (!text(((List<?>) ask("ROLE")).get(0)).equals("master")) {
                    throw new IOException("not primary yet");
                }
                return;
            } catch (IOException e) {
                last = e;
                cleanup();
            }
        }
        throw new DBException(last);
    }

    private void connect(String address) throws IOException {
        int colon = address.lastIndexOf(':');
        socket = new Socket(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
        socket.setSoTimeout(TIMEOUT_MILLIS);
        in = new BufferedInputStream(socket.getInputStream());
    }

    @Override
    public void cleanup() {
        try {
            if (socket != null) {
                socket.close();
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String text(Object value) {
        return new String((byte[]) value, StandardCharsets.UTF_8);
    }

    private Object ask(Object... words) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(("*" + words.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
        for (Object word : words) {
            byte[] bytes = word instanceof byte[] raw ? raw : word.toString().getBytes(StandardCharsets.UTF_8);
            out.write(("$" + bytes.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
            out.write(bytes);
            out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
        }
        socket.getOutputStream().write(out.toByteArray());
        return answer();
    }

    private Object answer() throws IOException {
        String line = line();
        int number = line.matches(".-?\\d+") ? Integer.parseInt(line.substring(1)) : 0;
        switch (line.charAt(0)) {
            case '-' -> throw new IOException(line);
            case '$' -> {
                byte[] bytes = number < 0 ? new byte[0] : in.readNBytes(number);
                if (number >= 0) {
                    line();
                }
                return bytes;
            }
            case '*' -> {
                List<Object> all = new ArrayList<>();
                for (int i = 0; i < number; i++) {
                    all.add(answer());
                }
                return all;
            }
            default -> {
                return line.substring(1);
            }
        }
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new IOException("end of stream");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    @Override
    public Status read(String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
        try {
            List<?> all = (List<?>) ask("HGETALL", key);
            for (int i = 0; i < all.size(); i += 2) {
                if (fields == null || fields.contains(text(all.get(i)))) {
                    result.put(text(all.get(i)), new ByteArrayByteIterator((byte[]) all.get(i + 1)));
                }
            }
            return all.isEmpty() ? Status.NOT_FOUND : Status.OK;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Status scan(
            String table, String start, int count, Set<String> fields, Vector<HashMap<String, ByteIterator>> rows) {
        return Status.NOT_IMPLEMENTED;
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
        List<Object> words = new ArrayList<>(List.of("HSET", key));
        values.forEach((name, value) -> {
            words.add(name);
            words.add(value.toArray());
        });
        try {
            ask(words.toArray());
            return Status.OK;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
        return update(table, key, values);
    }

    @Override
    public Status delete(String table, String key) {
        try {
            ask("DEL", key);
            return Status.OK;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
