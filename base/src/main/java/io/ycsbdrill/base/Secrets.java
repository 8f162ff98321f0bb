package io.ycsbdrill.base;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Keeps passwords out of everything that is recorded, shown or reported. Stateless. */
public final class Secrets {
    /** What is written instead. */
    public static final String MASK = "***";

    private static final String WORD = "password|passwd|passphrase|secret|token|credential";
    private static final Pattern NAME = Pattern.compile(
            WORD + "|_pwd$|api.?key|(^|[^a-z])((api|access|private|auth)[._-]?)?key$", Pattern.CASE_INSENSITIVE);
    private static final Pattern ASSIGNMENT = Pattern.compile("([^=\\s]+=).*", Pattern.DOTALL);

    private static final String VALUE = "(?:\"[^\"]*\"|'[^']*'|[^\\s\"',;&\\]}]+)";
    /** Between an option and its value: on a command line, in a YAML list on one line or on several. */
    private static final String NEXT = "[\"']?(?:\\s*,\\s*|\\s+(?:-\\s+)?)[\"']?";

    private static final String OPTION = "(?<![\\w-])";
    private static final String NAMED = "[\\w.-]*(?:" + WORD + "|_pwd|api[._-]?key)[\\w.-]*";
    private static final List<Pattern> BEFORE_A_SECRET = List.of(
            Pattern.compile("(://[^/@:\\s]*:)[^/@\\s]+(?=@)"),
            Pattern.compile(
                    "(?i)(authorization[\"']?\\s*[:=]\\s*[\"']?(?:(?:basic|bearer|token|digest)\\s+)?)" + VALUE),
            Pattern.compile("(?i)(" + NAMED + "[\"']?\\s*[=:]\\s*)" + VALUE),
            Pattern.compile("(?i)(" + OPTION + "--?" + NAMED + NEXT + ")" + VALUE),
            Pattern.compile("(" + OPTION + "-p(?:" + NEXT + ")?)" + VALUE),
            Pattern.compile("(" + OPTION + "(?:-u|--user)(?:" + NEXT + "|=)?[^\\s:\"',]+:)" + VALUE));

    private static final Pattern IN_QUERY =
            Pattern.compile("((?:password|passwd|secret|token)=)[^&;,\\s]+", Pattern.CASE_INSENSITIVE);

    private Secrets() {}

    /** The value of a property as it may be recorded. */
    public static String masked(String name, String value) {
        return NAME.matcher(name).find() ? MASK : urls(value);
    }

    /** A text that may contain commands, such as a drill file or the output of a command. */
    public static String inText(String text) {
        String masked = text;
        for (Pattern each : BEFORE_A_SECRET) {
            masked = each.matcher(masked).replaceAll("$1" + Matcher.quoteReplacement(MASK));
        }
        return masked;
    }

    /** A command of the user's, program first: as one line, the values of its options for secrets masked. */
    public static String inCommand(List<String> words) {
        List<String> masked = new ArrayList<>();
        String before = "";
        for (String word : words) {
            boolean value = before.equals("-p") || before.startsWith("-") && !before.contains("=") && secret(before);
            boolean user = before.equals("-u") || before.equals("--user");
            masked.add(value ? MASK : user ? word.replaceFirst("(?s):.*", ":" + MASK) : inArgument(inText(word)));
            before = word;
        }
        return String.join(" ", masked);
    }

    /** One argument {@code name=value} of a command line, or anything else. */
    public static String inArgument(String argument) {
        Matcher assignment = ASSIGNMENT.matcher(argument);
        return assignment.matches() && secret(assignment.group(1).replace("=", ""))
                ? assignment.group(1) + MASK
                : urls(argument);
    }

    private static boolean secret(String name) {
        return NAME.matcher(name).find();
    }

    private static String urls(String value) {
        return IN_QUERY.matcher(BEFORE_A_SECRET.get(0).matcher(value).replaceAll("$1" + Matcher.quoteReplacement(MASK)))
                .replaceAll("$1" + Matcher.quoteReplacement(MASK));
    }
}
