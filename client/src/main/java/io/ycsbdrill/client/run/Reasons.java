package io.ycsbdrill.client.run;

/** One line that says what went wrong, for {@code run.json} and the terminal. */
final class Reasons {
    private Reasons() {}

    static String of(Throwable t) {
        Throwable root = t;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        StringBuilder reason = new StringBuilder(brief(t));
        if (root != t && !brief(t).contains(brief(root))) {
            reason.append(", caused by ").append(brief(root));
        }
        if (root.getStackTrace().length > 0) {
            reason.append(" (at ").append(root.getStackTrace()[0]).append(')');
        }
        return reason.toString().replaceAll("\\s+", " ");
    }

    private static String brief(Throwable t) {
        return t.getMessage() == null ? t.getClass().getName() : t.getClass().getName() + ": " + t.getMessage();
    }
}
