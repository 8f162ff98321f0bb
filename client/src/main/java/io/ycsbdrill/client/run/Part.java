package io.ycsbdrill.client.run;

/**
 * Which of several clients of one run this is, and so which share of the work it has. Shares are exact: they differ by at most one
 * and add up to the whole.
 *
 * @param number from 1
 * @param of how many clients, at least 1
 */
public record Part(int number, int of) {
    /** A run by one client. */
    public static final Part WHOLE = new Part(1, 1);

    public Part {
        if (of < 1 || number < 1 || number > of) {
            throw new IllegalArgumentException(number + "/" + of + " is not one of several clients");
        }
    }

    /** Whether there are others. */
    public boolean isShare() {
        return of > 1;
    }

    /** How many of so many things are this client's. */
    public long share(long total) {
        return total / of + (number - 1 < total % of ? 1 : 0);
    }

    /** How many of so many things are those of the clients before it. */
    public long before(long total) {
        return total / of * (number - 1) + Math.min(number - 1, total % of);
    }

    @Override
    public String toString() {
        return number + "/" + of;
    }
}
