package io.ycsbdrill.client.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The commands that README, CONTRIBUTING and docs show. */
final class PageCommands {
    static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();

    private static final String VERBS =
            "ab|audit|cluster|compare|doctor|drill|experiment|explore|history|init|load|merge|report|run|shell|suite|sweep";
    /** A line of a block that is typed, and not what is printed or drawn. */
    private static final Pattern TYPED = Pattern.compile(
            "(?:\\$ |\\w+=\\S+ )*(?:\\./)?"
                    + "((?:bin|soak|bench|deploy|\\.ci)/[\\w.-]+|mvnw|ycsb|[a-z]*=\\$?\\S+|at\\(\\)|apt-get|cp|etcd|export|git|kubectl|podman|scp|ssh|systemctl|wait)( .*)?");
    /** In a sentence or a table; a command of ours mostly without its program. */
    private static final Pattern IN_PROSE =
            Pattern.compile("(?:\\./)?((?:bin/(?:ycsb(?= )|install-)|soak/|bench/|\\.ci/)[\\w.-]*|mvnw|ycsb(?= )|(?:"
                    + VERBS + ")(?= ))( .*)?");

    private static final Pattern CODE = Pattern.compile("(?<!`)`([^`]+)`(?!`)");
    private static final Pattern WORD = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"|'([^']*)'|([^\\s\"']+)");

    private PageCommands() {}

    /**
     * One command of a page.
     *
     * @param where page and line
     * @param block whether it stands in a block, to be copied, and not in a sentence or a table
     * @param onCluster whether the block brings up a cluster of this machine
     * @param program without {@code ./}; {@code bin/ycsb} for one of ours
     * @param line what follows
     */
    record Typed(String where, boolean block, boolean onCluster, String program, String line) {
        boolean ours() {
            return program.equals("bin/ycsb");
        }

        String text() {
            return (program + " " + line).strip().replaceAll(" +", " ");
        }

        /** Its arguments, without what is for the shell. */
        List<String> words() {
            List<String> words = new ArrayList<>();
            Matcher word = WORD.matcher(line);
            while (word.find()) {
                if (!word.group().matches("\\||>|2>.*|>.*|<.*|&&|&|;")) {
                    words.add(
                            word.group(1) != null
                                    ? word.group(1)
                                    : word.group(2) != null ? word.group(2) : word.group(3));
                }
            }
            return words;
        }

        @Override
        public String toString() {
            return where + ": " + text();
        }
    }

    static List<Typed> all() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(PROJECT.resolve("README.md"), PROJECT.resolve("CONTRIBUTING.md")));
        try (Stream<Path> docs = Files.walk(PROJECT.resolve("docs"))) {
            docs.filter(page -> page.toString().endsWith(".md")).sorted().forEach(pages::add);
        }
        List<Typed> found = new ArrayList<>();
        for (Path page : pages) {
            of(page, found);
        }
        return found;
    }

    private static void of(Path page, List<Typed> found) throws IOException {
        List<String> lines = Files.readAllLines(page);
        StringBuilder prose = new StringBuilder();
        for (int i = 0; i < lines.size(); i++) {
            if (!lines.get(i).strip().startsWith("```")) {
                prose.append(lines.get(i)).append('\n');
                continue;
            }
            int begin = i;
            String fence = lines.get(i).strip().replaceAll("[^`].*", "");
            do {
                prose.append('\n');
            } while (!lines.get(++i).strip().equals(fence));
            prose.append('\n');
            if (lines.get(begin).strip().matches("```(sh|console|bash)?")) {
                block(page, begin + 2, lines.subList(begin + 1, i), found);
            }
        }
        Matcher code = CODE.matcher(prose);
        while (code.find()) {
            int line = prose.substring(0, code.start()).split("\n", -1).length;
            inProse(where(page, line), code.group(1).replaceAll("\\s+", " "), found);
        }
    }

    private static String where(Path page, int line) {
        return PROJECT.relativize(page) + ":" + line;
    }

    private static void block(Path page, int first, List<String> lines, List<Typed> found) {
        boolean onCluster = lines.stream().anyMatch(line -> line.matches("(\\./)?bin/ycsb cluster up( [a-z.].*)?"));
        String open = "";
        for (int i = 0; i < lines.size(); i++) {
            String line = open + lines.get(i);
            if (line.endsWith("\\")) {
                open = line.substring(0, line.length() - 1) + " ";
                continue;
            }
            open = "";
            Matcher typed = TYPED.matcher(line.replaceAll("(^|\\s)#.*", "").strip());
            if (typed.matches()) {
                add(where(page, first + i), true, onCluster, typed, found);
            }
        }
    }

    private static void inProse(String where, String code, List<Typed> found) {
        Matcher typed = IN_PROSE.matcher(code);
        if (typed.matches()) {
            add(where, false, false, typed, found);
        }
    }

    private static void add(String where, boolean block, boolean onCluster, Matcher typed, List<Typed> found) {
        String program = typed.group(1);
        String line = typed.group(2) == null ? "" : typed.group(2).strip();
        if (program.matches(VERBS)) {
            found.add(new Typed(where, block, onCluster, "bin/ycsb", program + " " + line));
        } else {
            found.add(new Typed(where, block, onCluster, program.equals("ycsb") ? "bin/ycsb" : program, line));
        }
    }
}
