package io.ycsbdrill.client.run;

import java.util.regex.Pattern;

/** Keeps passwords out of the run directory. */
final class Secrets {
    static final String MASK = "***";

    private static final Pattern NAME = Pattern.compile(
            "password|passwd|passphrase|secret|token|credential|(^|[^a-z])((api|access|private|auth)[._-]?)?key$",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern IN_URL = Pattern.compile("(://[^/@:\\s]*:)[^/@\\s]+(@)");
    private static final Pattern IN_QUERY =
            Pattern.compile("((?:password|passwd|secret|token)=)[^&;,\\s]+", Pattern.CASE_INSENSITIVE);

    private Secrets() {}

    /** The value as it may be recorded. */
    static String masked(String name, String value) {
        if (NAME.matcher(name).find()) {
            return MASK;
        }
        String url = IN_URL.matcher(value).replaceAll("$1" + MASK + "$2");
        return IN_QUERY.matcher(url).replaceAll("$1" + MASK);
    }
}
