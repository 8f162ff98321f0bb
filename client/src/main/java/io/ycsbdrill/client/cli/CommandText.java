package io.ycsbdrill.client.cli;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A command line for the record. */
final class CommandText {
    private static final Pattern SECRET =
            Pattern.compile("((?i:[^=]*(?:password|passwd|secret|token|api.?key)[^=]*)=).*", Pattern.DOTALL);

    private CommandText() {}

    /** The arguments with the values of passwords and the like replaced by {@code ***}. */
    static List<String> withoutSecrets(List<String> arguments) {
        return arguments.stream().map(CommandText::withoutSecret).toList();
    }

    private static String withoutSecret(String argument) {
        Matcher secret = SECRET.matcher(argument);
        return secret.matches() ? secret.group(1) + "***" : argument;
    }
}
