package io.ycsbdrill.base;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Keeps passwords out of everything that is recorded, shown or reported: by the form of a text, and by the values that this process
 * was given ({@link #know}). Thread-safe.
 */
public final class Secrets {
    /** What is written instead. */
    public static final String MASK = "***";

    private static final String WORD = "password|passwd|passphrase|secret|token|credential";
    /** Words and short numbers, which stand in every text, path and result; whoever uses one as a password has none. */
    private static final Pattern COMMON = Pattern.compile(
            "true|false|none|null|\\d{1,7}|ycsb|ycsb-drill|mysql|mariadb|postgres|postgresql|crate|galera|harper|rondb|root|admin|user|test"
                    + "|pass|password|secret|example|read|update|insert|delete|scan|verify|overall|node|data|run|load|local|localhost",
            Pattern.CASE_INSENSITIVE);

    private static final Pattern NAME = Pattern.compile(
            WORD
                    + "|authorization|cookie|(^|[._-])pwd$|(^|[._-])pass$|api.?key|(^|[^a-z])((api|access|private|auth)[._-]?)?key$",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern ASSIGNMENT = Pattern.compile("([^=\\s]+=).*", Pattern.DOTALL);

    private static final String VALUE = "(?:\"(?:[^\"\\\\]|\\\\.){0,500}\"|'(?:[^'\\\\]|\\\\.|''){0,500}'"
            + "|[\"'][^\"'\\r\\n]*|[^\\s\"',;&\\]})]+)";
    /** Between an option and its value: on a command line, in a YAML list on one line or on several. */
    private static final String NEXT = "[\"']?(?:\\s*,\\s*|\\s+(?:-\\s+)?)[\"']?";

    private static final String OPTION = "(?<![\\w-])";
    private static final String NAMED = "[\\w.-]{0,40}(?:" + WORD + "|_pwd|rediscli_auth|api[._-]?key)[\\w.-]{0,40}";
    /** Programs whose {@code -p} is a password; that of {@code mkdir} is none. */
    private static final String TAKES_P = "(?:mysql|mariadb|sshpass|mongo|cqlsh)[\\w-]*";

    private static final String URL = "(://[^/@:\\s\"']*:)[^\\s\"'<>]*(?=@)";
    private static final List<Pattern> BEFORE_A_SECRET = List.of(
            Pattern.compile(URL),
            Pattern.compile("(?i)(jdbc:oracle:\\w+:[^/\\s]{0,100}/)[^\\s]*(?=@)"),
            Pattern.compile("(?i)((?:authorization|cookie)[\"']?\\s*[:=]\\s*[\"']?"
                    + "(?:(?:basic|bearer|token|digest)\\s+)?)[^\"'\\r\\n]+"),
            Pattern.compile("(?i)(\\bbearer\\s+)[\\w.~+/=-]+"),
            Pattern.compile("(?i)(\\bidentified\\s+(?:with\\s+\\S{1,100}\\s+)?(?:by|as)\\s+(?:password\\s+)?)" + VALUE),
            Pattern.compile("(?i)(\\bpassword\\s*(?:for\\s+\\S{1,100}\\s*=)?\\s*\\(?\\s*)(?=[\"'][^\"':=]{1,500}[\"'])"
                    + VALUE),
            Pattern.compile("(?i)((?<!using )" + NAMED + "[\"']?\\s*[=:]\\s*)" + VALUE),
            Pattern.compile("(?i)((?<![a-z])(?:pass|pwd)[\"']?\\s*=\\s*)" + VALUE),
            Pattern.compile("(?i)(" + OPTION + "--?" + NAMED + NEXT + ")" + VALUE),
            Pattern.compile("(\\b" + TAKES_P + "\\b[^;|&]{0,300}?" + OPTION + "-p(?:" + NEXT + ")?)" + VALUE),
            // Without a blank between it is one of unknown programs, too.
            Pattern.compile("(" + OPTION + "-p)(?!rint\\b|ath\\b)" + VALUE),
            Pattern.compile("(\\bredis-cli\\b[^;|&]{0,300}?" + OPTION + "-a(?:" + NEXT + ")?)" + VALUE),
            Pattern.compile("(" + OPTION + "(?:-u|--user)(?:" + NEXT + "|=)?[^\\s:\"',]+:)" + VALUE));

    private static final Pattern IN_QUERY =
            Pattern.compile("([\\w.-]{0,40}(?:" + WORD + ")[\\w.-]{0,40}=)[^&;,\\s)]+", Pattern.CASE_INSENSITIVE);

    /** Shorter values are words of every text, and masking them would say what they are. */
    private static final int SHORTEST_KNOWN = 4;

    /** The shells' variables for where one is and was: named like passwords, and in half of all messages. */
    private static final Set<String> PLACES = Set.of("PWD", "OLDPWD");

    private static final Set<String> KNOWN = ConcurrentHashMap.newKeySet();

    private Secrets() {}

    /**
     * From now on this value is masked wherever it stands in a text; one of fewer than four characters is not, nor a number of fewer than
     * eight digits, which would be taken for one among figures.
     */
    public static void know(String secret) {
        if (secret.length() >= SHORTEST_KNOWN
                && !secret.equals(MASK)
                && !COMMON.matcher(secret).matches()) {
            KNOWN.add(secret);
        }
    }

    /** As {@link #know}, if the property or variable of that name holds a secret, not the place of one. */
    public static void know(String name, String value) {
        if (isSecret(name) && !name.endsWith(".file") && !name.endsWith(".env")) {
            know(value);
        }
    }

    /** Whether the property or variable of that name holds a secret. */
    public static boolean isSecret(String name) {
        return NAME.matcher(name).find() && !PLACES.contains(name);
    }

    /** The text without the values that this process was given as secrets. */
    public static String withoutKnown(String text) {
        String masked = text;
        for (String secret : KNOWN.stream()
                .filter(text::contains)
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList()) {
            masked = secret.length() < 8
                    ? masked.replaceAll("(?<!\\w)" + Pattern.quote(secret) + "(?!\\w)", Matcher.quoteReplacement(MASK))
                    : masked.replace(secret, MASK);
        }
        return masked;
    }

    /** The value of a property as it may be recorded. */
    public static String masked(String name, String value) {
        return isSecret(name) ? MASK : urls(value);
    }

    /** A text that may contain commands, such as a drill file, the output of a command, or what a server says. */
    public static String inText(String text) {
        String masked = withoutKnown(text);
        for (Pattern each : BEFORE_A_SECRET) {
            masked = each.matcher(masked).replaceAll("$1" + Matcher.quoteReplacement(MASK));
        }
        return masked;
    }

    /** A command of the user's, program first: as one line, the values of its options for secrets masked. */
    public static String inCommand(List<String> words) {
        List<String> masked = new ArrayList<>();
        String before = "";
        boolean takesP = false;
        boolean takesA = false;
        for (String word : words) {
            boolean value = before.equals("-p") && takesP
                    || before.equals("-a") && takesA
                    || before.startsWith("-") && !before.contains("=") && isSecret(before);
            boolean user = before.equals("-u") || before.equals("--user");
            boolean attached = word.matches("(?s)-p.+") || takesA && word.matches("(?s)-a.+");
            masked.add(
                    value
                            ? MASK
                            : attached
                                    ? word.substring(0, 2) + MASK
                                    : user ? word.replaceFirst("(?s):.*", ":" + MASK) : inArgument(inText(word)));
            takesP |= word.matches("(?:.*/)?" + TAKES_P);
            takesA |= word.matches("(?:.*/)?redis-cli");
            before = word;
        }
        return withoutKnown(String.join(" ", masked));
    }

    /** One argument {@code name=value} of a command line, or anything else. */
    public static String inArgument(String argument) {
        Matcher assignment = ASSIGNMENT.matcher(argument);
        return assignment.matches() && isSecret(assignment.group(1).replace("=", ""))
                ? assignment.group(1) + MASK
                : urls(argument);
    }

    private static String urls(String value) {
        String masked = value;
        for (Pattern each : BEFORE_A_SECRET.subList(0, 2)) {
            masked = each.matcher(masked).replaceAll("$1" + Matcher.quoteReplacement(MASK));
        }
        return IN_QUERY.matcher(masked).replaceAll("$1" + Matcher.quoteReplacement(MASK));
    }
}
