package io.ycsbdrill.client.audit.ledger;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Keys as numbers: {@code user123} is 123, and any other form gets a negative number and is remembered. Guarded by its stripe.
 */
final class Keys {
    private static final String PREFIX = "user";
    /** Of a remembered key, beside its letters: two references, a map entry, a boxed number and the text's own header. */
    private static final long OVERHEAD_BYTES = 140;

    private final List<String> names = new ArrayList<>();
    private final Map<String, Long> numbers = new HashMap<>();
    private long bytes;

    /** @return the number, or null when the key is of another form and was never seen */
    Long known(String key) {
        long plain = plain(key);
        return plain >= 0 ? Long.valueOf(plain) : numbers.get(key);
    }

    long number(String key) {
        long plain = plain(key);
        if (plain >= 0) {
            return plain;
        }
        return numbers.computeIfAbsent(key, name -> {
            names.add(name);
            bytes += OVERHEAD_BYTES + 2L * name.length();
            return (long) -names.size();
        });
    }

    String name(long number) {
        return number >= 0 ? PREFIX + number : names.get((int) (-number - 1));
    }

    long bytes() {
        return bytes;
    }

    /** The digits behind the usual prefix; -1 when the key is not exactly that text. */
    private static long plain(String key) {
        int length = key.length();
        if (!key.startsWith(PREFIX)
                || length == PREFIX.length()
                || length > PREFIX.length() + 19
                || key.charAt(PREFIX.length()) == '0' && length > PREFIX.length() + 1) {
            return -1;
        }
        long number = 0;
        for (int i = PREFIX.length(); i < length; i++) {
            int digit = key.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = number * 10 + digit;
            if (number < 0) {
                return -1;
            }
        }
        return number;
    }
}
