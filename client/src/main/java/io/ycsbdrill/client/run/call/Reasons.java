package io.ycsbdrill.client.run.call;

import io.ycsbdrill.base.Secrets;
import java.io.UncheckedIOException;
import site.ycsb.DBException;

/** One line that says what went wrong, for {@code run.json} and the terminal. */
public final class Reasons {
    private static final int LONGEST = 4000;

    private Reasons() {}

    /** Without the secrets that drivers and servers put into their messages, and of a bounded length. */
    public static String of(Throwable t) {
        String line = line(t);
        return Secrets.inText(line.length() > LONGEST ? line.substring(0, LONGEST) + "..." : line);
    }

    private static String line(Throwable t) {
        if (t instanceof DBException && t.getMessage() != null || isWorded(t)) {
            return worded(t).replaceAll("\\s+", " ");
        }
        if (t instanceof InterruptedException) {
            return "was interrupted"; // by the run itself, which says why
        }
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

    /** As a full disk is by the audit; without words of its own it has those of its cause. */
    private static boolean isWorded(Throwable t) {
        return t instanceof UncheckedIOException
                && t.getMessage() != null
                && !t.getMessage().equals(String.valueOf(t.getCause()));
    }

    /** Foreseen, and worded for users: where in the program it was noticed does not help them. */
    private static String worded(Throwable t) {
        Throwable cause = t.getCause();
        String more =
                cause == null || cause.getMessage() == null || t.getMessage().contains(cause.getMessage())
                        ? ""
                        : ", caused by " + cause.getMessage();
        return t.getMessage() + more;
    }

    private static String brief(Throwable t) {
        return t.getMessage() == null ? t.getClass().getName() : t.getClass().getName() + ": " + t.getMessage();
    }
}
