package io.ycsbdrill.fault.node.declared;

import io.ycsbdrill.base.yaml.LineProblems;
import io.ycsbdrill.base.yaml.Section;
import io.ycsbdrill.base.yaml.YamlReader;
import io.ycsbdrill.fault.node.declared.EngineFile.Group;
import io.ycsbdrill.fault.node.declared.EngineFile.Text;
import io.ycsbdrill.fault.node.declared.LogLines.Meaning;
import io.ycsbdrill.fault.node.declared.LogLines.Rule;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;
import org.yaml.snakeyaml.nodes.Node;

/** Reads the file of an engine. For one thread. */
final class EngineFileReader {
    /** The most servers of one kind. */
    static final int MOST = 9;

    static final String NODES = "node";
    private static final String COMMAND = "a list of words: [program, --option, value]";
    private static final String NAME = "[a-z][a-z0-9-]{0,30}";
    private static final Pattern FILE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");
    /** What is a name in messages, commands and folders already. */
    private static final List<String> TAKEN =
            List.of("all", "node", "number", "address", "data", "home", "folder", "port");

    private final LineProblems problems;

    private EngineFileReader(LineProblems problems) {
        this.problems = problems;
    }

    /** @throws IllegalArgumentException with every problem, each on a line of its own */
    static EngineFile read(String name, String source) {
        LineProblems problems = new LineProblems(name);
        Optional<EngineFile> file =
                YamlReader.read(source, problems).flatMap(root -> new EngineFileReader(problems).file(root, source));
        problems.throwIfAny(texts -> new IllegalArgumentException(String.join("\n", texts)));
        return file.orElseThrow();
    }

    private Optional<EngineFile> file(Node root, String source) {
        Optional<Section> whole = Section.of(root, "the keys of an engine: engine, programs, nodes, ...", problems);
        if (whole.isEmpty()) {
            return Optional.empty();
        }
        Section top = whole.get();
        String engine = name(top, "engine", "");
        List<String> programs = words(top, "programs", "a list of the programs that it needs: [etcd, etcdctl]");
        programs.stream()
                .filter(each -> !FILE.matcher(each).matches())
                .findFirst()
                .ifPresent(
                        each -> top.problem(
                                "programs",
                                "\"" + each
                                        + "\"; expected the name of a program without a folder, which is looked for in the PATH"));
        top.require("nodes", "expected the keys of the data nodes: ports, command, probe, ...");
        Optional<Group> nodes = top.section("nodes").map(section -> group(section, NODES));
        Optional<Group> helpers = top.section("helpers").map(section -> {
            section.require("name", "expected what one of them is called: sentinel");
            return group(section, name(section, "name", NODES));
        });
        EngineFile file = new EngineFile(
                engine,
                top.text("title", "its name for people").orElse(engine),
                source,
                programs,
                top.texts("version"),
                nodes.orElse(null),
                helpers,
                texts(top),
                primary(top),
                top.text("initialise", "a script of the shell"),
                bindings(top));
        top.rejectOthers();
        if (!problems.any()) {
            checkHoles(top, file);
        }
        return problems.any() ? Optional.empty() : Optional.of(file);
    }

    private String name(Section section, String key, String other) {
        section.require(key, "expected a name of small letters, digits and dashes");
        String name =
                section.text(key, "a name of small letters, digits and dashes").orElse("x");
        if (!name.matches(NAME)
                || TAKEN.contains(name) && !key.equals("engine")
                || name.equals("all")
                || name.equals(other)) {
            section.problem(
                    key,
                    "\"" + name
                            + "\"; expected a name of small letters, digits and dashes that begins with a letter and"
                            + " has no other meaning here");
        }
        return name;
    }

    private static List<String> words(Section section, String key, String expected) {
        section.require(key, "expected " + expected);
        return section.texts(key);
    }

    // --- Servers

    private Group group(Section section, String prefix) {
        int count = (int) section.count("count", 1, MOST).orElse(3);
        List<String> ports = words(section, "ports", "a list of names of the ports that each has: [client, peer]");
        ports.stream()
                .filter(port -> !port.matches(NAME))
                .findFirst()
                .ifPresent(port -> section.problem(
                        "ports", "\"" + port + "\"; expected names of small letters, digits and dashes"));
        if (ports.stream().distinct().count() < ports.size()) {
            section.problem("ports", "has a name twice");
        }
        Map<String, String> files = section.entries("files");
        files.keySet().stream()
                .filter(file -> !FILE.matcher(file).matches() || file.equals("data"))
                .findFirst()
                .ifPresent(file ->
                        section.problem("files", "\"" + file + "\"; expected the name of a file, without a folder"));
        List<String> command = words(section, "command", COMMAND);
        section.require("probe", "expected how a server is asked whether it has recovered");
        Optional<Probe> probe = section.section("probe").flatMap(this::probe);
        Optional<LogLines> log = section.section("log").flatMap(this::log);
        section.rejectOthers();
        return new Group(prefix, count, ports, files, command, probe.orElse(null), log);
    }

    private Optional<Probe> probe(Section section) {
        List<Probe.Kind> kinds = Stream.of(Probe.Kind.values())
                .filter(kind -> section.has(kind.name().toLowerCase(Locale.ROOT)))
                .toList();
        if (kinds.size() != 1) {
            section.missing("http", "expected one of http: URL, tcp: ADDRESS:PORT, or command: [program, ...]");
            return Optional.empty();
        }
        Probe.Kind kind = kinds.get(0);
        List<String> question =
                switch (kind) {
                    case HTTP ->
                        section.text("http", "a URL: http://{address}:{port.client}/health").stream()
                                .toList();
                    case TCP ->
                        section.text("tcp", "an address: \"{address}:{port.client}\"").stream()
                                .toList();
                    case COMMAND -> section.texts("command");
                };
        if (kind == Probe.Kind.HTTP && question.stream().noneMatch(url -> url.startsWith("http://"))) {
            section.problem("http", "expected a URL: http://{address}:{port.client}/health");
        }
        if (kind == Probe.Kind.TCP && question.stream().noneMatch(address -> address.matches(".+:(\\{.+}|\\d+)"))) {
            section.problem("tcp", "expected an address: \"{address}:{port.client}\"");
        }
        Optional<String> send =
                kind == Probe.Kind.TCP ? section.text("send", "a text: \"PING\\r\\n\"") : Optional.empty();
        section.require("recovered", "expected what is in the answer of a server that has recovered");
        Optional<Words> recovered = pattern(section, "recovered", 0);
        Optional<Words> primary = pattern(section, "primary", 0);
        Optional<Words> position = pattern(section, "position", 1);
        section.text("position", "a regular expression")
                .filter(text -> position.isPresent() && !text.contains("(\\d+)"))
                .ifPresent(text ->
                        section.problem("position", "\"" + text + "\"; expected a number as its group: offset:(\\d+)"));
        section.rejectOthers();
        return recovered.map(words -> new Probe(kind, question, send.orElse(""), words, primary, position));
    }

    private Optional<LogLines> log(Section section) {
        section.require("time", "expected where a line has its time, as one group: '\"ts\":\"([^\"]+)\"'");
        Optional<Words> time = pattern(section, "time", 1);
        section.require("format", "expected the form of that time: yyyy-MM-dd HH:mm:ss.SSS");
        Optional<DateTimeFormatter> format = section.text("format", "the form of a time")
                .flatMap(text -> {
                    try {
                        return Optional.of(LogLines.format(text));
                    } catch (IllegalArgumentException e) {
                        section.problem(
                                "format",
                                "\"" + text + "\"; expected letters of Java's DateTimeFormatter: yyyy-MM-dd"
                                        + " HH:mm:ss.SSS (" + e.getMessage() + ")");
                        return Optional.empty();
                    }
                });
        List<Rule> rules = new ArrayList<>();
        for (Section line : section.sections("lines", "a list of at least one line", "the keys has and means")) {
            line.require("has", "expected what is in the line");
            line.require("means", "expected one of " + String.join(", ", meanings()));
            Optional<Words> has = pattern(line, "has", 0);
            line.choice("means", List.of(Meaning.values()), Meaning::word)
                    .ifPresent(meaning -> has.ifPresent(words -> rules.add(new Rule(words, meaning))));
            line.rejectOthers();
        }
        section.require("lines", "expected a list of lines: [{has: became leader, means: primary}]");
        section.rejectOthers();
        return time.flatMap(where -> format.map(form -> new LogLines(where, form, rules)));
    }

    /** The words that lines may mean. */
    static List<String> meanings() {
        return Stream.of(Meaning.values()).map(Meaning::word).toList();
    }

    /** @param groups how many it must have; with 0 any number will do */
    private static Optional<Words> pattern(Section section, String key, int groups) {
        return section.text(key, "a regular expression").flatMap(text -> {
            try {
                Words pattern = new Words(section.key(key), text);
                if (groups == 0 || pattern.groups() == groups) {
                    return Optional.of(pattern);
                }
                section.problem(
                        key,
                        "\"" + text + "\"; expected a regular expression with one group, in (), around what is wanted");
            } catch (PatternSyntaxException e) {
                section.problem(key, "\"" + text + "\"; expected a regular expression (" + e.getDescription() + ")");
            }
            return Optional.empty();
        });
    }

    // --- Texts

    private Map<String, Text> texts(Section top) {
        Map<String, Text> texts = new LinkedHashMap<>();
        Optional<Section> all = top.section("texts");
        for (String name : all.map(Section::names).orElse(List.of())) {
            if (!name.matches(NAME) || TAKEN.contains(name)) {
                all.get()
                        .problem(
                                name,
                                "expected a name of small letters, digits and dashes that has no other meaning here");
            }
            all.get().section(name).ifPresent(section -> text(section).ifPresent(text -> texts.put(name, text)));
        }
        return texts;
    }

    private static Optional<Text> text(Section section) {
        for (Text.Kind kind : Text.Kind.values()) {
            if (section.has(kind.one)) {
                boolean two = !kind.isList();
                if (two) {
                    section.require(kind.other, "expected both " + kind.one + " and " + kind.other);
                }
                Optional<String> one = section.text(kind.one, "a text");
                Optional<String> other = two ? section.text(kind.other, "a text") : Optional.of("");
                section.rejectOthers();
                return one.flatMap(a -> other.map(b -> new Text(kind, a, b)));
            }
        }
        section.missing("each", "expected one of each; each-helper; first and others; create and later");
        return Optional.empty();
    }

    private static Optional<String> primary(Section top) {
        Optional<String> primary = top.text("primary", "the id of a data node: node1");
        primary.filter(id -> !id.equals(NODES + 1))
                .ifPresent(id ->
                        top.problem("primary", "\"" + id + "\"; expected node1, the only node that every cluster has"));
        return primary;
    }

    private static Map<String, Map<String, String>> bindings(Section top) {
        top.require("bindings", "expected properties by binding: {rest: {rest.endpoints: ...}}");
        Map<String, Map<String, String>> bindings = new LinkedHashMap<>();
        top.section("bindings").ifPresent(section -> {
            section.names().forEach(binding -> bindings.put(binding, section.entries(binding)));
            if (bindings.isEmpty()) {
                top.problem("bindings", "is empty; expected properties by binding: {rest: {rest.endpoints: ...}}");
            }
        });
        return bindings;
    }

    // --- Templates

    private static void checkHoles(Section top, EngineFile file) {
        check(top, "nodes", file, file.nodes());
        file.helpers().ifPresent(group -> check(top, "helpers", file, group));
        Consumer<String> script = template(top, "initialise", file, file.nodes());
        file.initialise().ifPresent(script);
        file.texts().values().forEach(text -> {
            boolean ofHelpers =
                    text.kind() == Text.Kind.HELPERS && file.helpers().isPresent();
            Consumer<String> each =
                    template(top, "texts", file, ofHelpers ? file.helpers().get() : file.nodes());
            each.accept(text.one());
            each.accept(text.other());
            Places.text(text.one() + text.other(), file)
                    .ifPresent(hole ->
                            top.problem("texts", "{" + hole + "} is one of texts, which cannot be in one of them"));
        });
        Consumer<String> bindings = template(top, "bindings", file, file.nodes());
        file.bindings().values().forEach(each -> each.values().forEach(bindings));
    }

    private static void check(Section top, String key, EngineFile file, Group group) {
        if (!file.programs().contains(group.command().get(0))) {
            top.problem(
                    key,
                    "command: \"" + group.command().get(0) + "\" is not one of programs: "
                            + String.join(", ", file.programs()));
        }
        Consumer<String> each = template(top, key, file, group);
        group.command().forEach(each);
        group.files().values().forEach(each);
        group.probe().question().forEach(each);
        each.accept(group.probe().send());
    }

    private static Consumer<String> template(Section top, String key, EngineFile file, Group group) {
        return text -> Places.unknown(text, file, group)
                .ifPresent(
                        hole -> top.problem(
                                key,
                                "{" + hole
                                        + "} is nothing that can be filled in; expected {node}, {number}, {address}, {data}, {home},"
                                        + " {folder}, {port.NAME}, {node1.address}, {node1.port.NAME} or the name of one of texts"));
    }
}
