package io.ycsbdrill.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/new-fault.md names files and methods that exist, and every question that a fault is asked. */
class NewFaultGuideTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern PATH = Pattern.compile("`((?:faultinject|workloads)/[\\w./-]+)`");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (?:`\\w+`)? ?\\| ([^|]+) \\|");
    private static final String NEW = "HiccupNode";

    private static String guide() throws IOException {
        return Files.readString(ROOT.resolve("docs/new-fault.md"));
    }

    private static List<String> found(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map((MatchResult m) -> m.group(1))
                .toList();
    }

    @Test
    void theFilesThatItNamesExist() throws IOException {
        List<String> named = found(PATH, guide());

        assertThat(named).hasSizeGreaterThan(6);
        assertThat(named).filteredOn(path -> !path.contains(NEW)).allSatisfy(path -> assertThat(ROOT.resolve(path))
                .exists());
    }

    /** A question that is missing would not be answered by a new fault. */
    @Test
    void itsTableHasEveryQuestion() throws IOException {
        Set<String> questions = Stream.of(Demands.class, Course.class, Proof.class, Interplay.class)
                .flatMap(type -> Stream.of(type.getDeclaredMethods()))
                .filter(method -> !method.isSynthetic())
                .map(Method::getName)
                .collect(Collectors.toCollection(TreeSet::new));
        questions.removeAll(Set.of("name", "bringsBack", "last", "conflict", "mayEnd")); // follow from the others

        List<String> cells = found(ROW, guide().replaceAll("(?s).*## What the data say", ""));
        Set<String> named = cells.stream()
                .flatMap(cell -> found(Pattern.compile("`(\\w+)`"), cell).stream())
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(named).isEqualTo(questions);
    }

    /** Who has another fault in mind reads what the interface permits there. */
    @Test
    void whatItSaysThatTheInterfacePermitsIsWhatItPermits() throws IOException {
        String permitted = Stream.of(GreyFault.class.getPermittedSubclasses())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", "))
                .replace("PauseNode, ", "PauseNode, " + NEW + ", ");

        assertThat(guide()).contains("permits " + permitted + " {");
    }
}
