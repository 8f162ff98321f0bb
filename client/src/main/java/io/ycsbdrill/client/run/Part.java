package io.ycsbdrill.client.run;

/**
 * Which of several clients of one run this is: {@code part} of {@code run.json}, where whatever started the clients has written it.
 *
 * @param number from 1
 * @param of how many clients, at least 1
 */
record Part(int number, int of) {
    /** A run by one client. */
    static final Part WHOLE = new Part(1, 1);

    Part {
        if (of < 1 || number < 1 || number > of) {
            throw new IllegalArgumentException(number + "/" + of + " is not one of several clients");
        }
    }

    /** Whether there are others. */
    boolean isShare() {
        return of > 1;
    }

    @Override
    public String toString() {
        return number + "/" + of;
    }
}
