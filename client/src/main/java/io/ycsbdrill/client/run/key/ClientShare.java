package io.ycsbdrill.client.run.key;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Which of several clients of one run this is, and what its share is: {@code part} of {@code run.json}.
 *
 * @param number from 1
 * @param of how many clients, at least 1
 */
public record ClientShare(int number, int of) {
    /** A run by one client. */
    public static final ClientShare WHOLE = new ClientShare(1, 1);

    private static final int MOST_CLIENTS = 10_000;

    public ClientShare {
        if (of < 1 || number < 1 || number > of) {
            throw new IllegalArgumentException(number + "/" + of + " is not one of several clients");
        }
    }

    /**
     * From {@code 2/3}, the second of three.
     *
     * @throws IllegalArgumentException saying what is expected
     */
    public static ClientShare parse(String text) {
        if (text.strip().matches("\\d{1,5}/\\d{1,5}")) {
            String[] numbers = text.strip().split("/");
            int number = Integer.parseInt(numbers[0]);
            int of = Integer.parseInt(numbers[1]);
            if (number >= 1 && number <= of && of <= MOST_CLIENTS) {
                return new ClientShare(number, of);
            }
        }
        throw new IllegalArgumentException(
                "\"" + text + "\" is not I/N, client I of N, such as 2/3; I is from 1 to N, N at most " + MOST_CLIENTS);
    }

    /** Whether there are others. */
    public boolean isShare() {
        return of > 1;
    }

    /** How many of so many things are this client's; those of all clients differ by at most one and add up to all. */
    public long share(long all) {
        return all / of + (number <= all % of ? 1 : 0);
    }

    /** Where this client's share begins when all are cut in a row, client by client. */
    public long first(long all) {
        return all / of * (number - 1) + Math.min(number - 1, all % of);
    }

    /** Which arrivals of the rate a thread takes, from 0, when those of all clients take {@link #lanes} in turn. */
    public int lane(int thread) {
        return number - 1 + thread * of;
    }

    /** How many threads all clients have together, with so many each. */
    public int lanes(int threads) {
        return threads * of;
    }

    public ObjectNode json() {
        return JsonNodeFactory.instance.objectNode().put("number", number).put("of", of);
    }

    @Override
    public String toString() {
        return number + "/" + of;
    }
}
