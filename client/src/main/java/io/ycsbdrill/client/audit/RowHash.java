package io.ycsbdrill.client.audit;

import io.ycsbdrill.base.Formatted;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import java.util.TreeMap;

/**
 * One number for a row, SHA-256; the sum of those of all rows modulo 2^256 is one for a table, whatever the order of reading.
 * docs/audit.md has the formula. Stateless.
 */
final class RowHash {
    private static final BigInteger MODULUS = BigInteger.ONE.shiftLeft(256);

    /** @param row values by field name */
    static BigInteger of(String key, Map<String, byte[]> row) {
        MessageDigest digest = sha256();
        add(digest, key.getBytes(StandardCharsets.UTF_8));
        new TreeMap<>(row).forEach((field, value) -> {
            add(digest, field.getBytes(StandardCharsets.UTF_8));
            add(digest, value);
        });
        return new BigInteger(1, digest.digest());
    }

    static BigInteger plus(BigInteger sum, BigInteger row) {
        return sum.add(row).mod(MODULUS);
    }

    /** 64 hexadecimal digits. */
    static String text(BigInteger sum) {
        return Formatted.of("%064x", sum);
    }

    private static void add(MessageDigest digest, byte[] part) {
        digest.update(ByteBuffer.allocate(4).putInt(part.length).array());
        digest.update(part);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
