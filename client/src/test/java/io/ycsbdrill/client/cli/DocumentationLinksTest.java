package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Links among the pages, as GitHub and the site of deploy/site resolve them. */
class DocumentationLinksTest {
    private static final Path TOP = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*]\\(([^)\\s]+)\\)");
    private static final Pattern CODE = Pattern.compile("(?s)```.*?```|`[^`\n]*`");

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(TOP.resolve("README.md"), TOP.resolve("CONTRIBUTING.md")));
        for (String folder : List.of("docs", "examples")) {
            try (Stream<Path> files = Files.walk(TOP.resolve(folder))) {
                files.filter(file -> file.toString().endsWith(".md")
                                && !file.toString().contains("/target/"))
                        .forEach(pages::add);
            }
        }
        return pages;
    }

    @Test
    void everyLinkLeadsSomewhere() throws IOException {
        List<String> broken = new ArrayList<>();
        Map<Path, Set<String>> anchors = new HashMap<>();
        for (Path page : pages()) {
            Matcher link = LINK.matcher(CODE.matcher(Files.readString(page)).replaceAll(""));
            while (link.find()) {
                String target = link.group(1);
                if (target.matches("[a-z]+:.*")) {
                    continue;
                }
                String[] parts = target.split("#", 2);
                Path file = parts[0].isEmpty()
                        ? page
                        : page.getParent().resolve(parts[0]).normalize();
                boolean there = Files.exists(file)
                        && (parts.length == 1
                                || !file.toString().endsWith(".md")
                                || anchors.computeIfAbsent(file, DocumentationLinksTest::anchors)
                                        .contains(parts[1]));
                if (!there) {
                    broken.add(TOP.relativize(page) + ": " + target);
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    @Test
    void theIndexLeadsToEveryPage() throws IOException {
        String index = Files.readString(TOP.resolve("docs/README.md"));

        try (Stream<Path> files = Files.list(TOP.resolve("docs"))) {
            assertThat(files.map(file -> file.getFileName().toString())
                            .filter(name -> name.endsWith(".md") && !name.equals("README.md")))
                    .isNotEmpty()
                    .allSatisfy(name -> assertThat(index).contains("](" + name + ")"));
        }
        assertThat(index)
                .contains("\n## Use it\n", "\n## Understand the figures\n", "\n## Extend it\n", "\n## Contribute\n");
    }

    /** Of the headings, as GitHub makes them. */
    private static Set<String> anchors(Path page) {
        Set<String> anchors = new HashSet<>();
        try {
            boolean code = false;
            for (String line : Files.readAllLines(page)) {
                code ^= line.startsWith("```");
                Matcher named = Pattern.compile("<a id=\"([^\"]+)\">").matcher(line);
                while (named.find()) {
                    anchors.add(named.group(1));
                }
                if (!code && line.startsWith("#")) {
                    String text = line.replaceFirst("^#+ ", "").replaceAll("\\[([^\\]]*)]\\([^)]*\\)", "$1");
                    String slug = text.toLowerCase(Locale.ROOT)
                            .replaceAll("[^\\p{L}\\p{N} _-]", "")
                            .replace(' ', '-');
                    for (int again = 0; !anchors.add(again == 0 ? slug : slug + "-" + again); again++) {}
                }
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        return anchors;
    }
}
