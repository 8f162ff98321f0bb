package io.ycsbdrill.client.cli.start;

import io.ycsbdrill.base.Io;
import io.ycsbdrill.fault.host.HostScript;
import io.ycsbdrill.fault.node.declared.DeclaredEngine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The files of a first drill, made from the templates beside this class: of an engine one {@code .txt} whose parts begin with
 * {@code --- NAME}. A line with {@code $host} is repeated for each host, and {@code $id} there is its node's; {@code $hosts:PORT} becomes all of them.
 *
 * @param texts by name, in the order in which they are written
 */
record StartFiles(Map<String, String> texts) {
    static final String INVENTORY = "inventory.yaml";
    static final String WORKLOAD = "workload.properties";
    static final String DRILL = "drill.yaml";
    /** The template for engines that files describe. */
    static final String OF_FILE = "file";

    private static final String PART = "--- ";

    /** Whether there is a template for hosts with this engine. */
    static boolean knows(String engine) {
        return StartFiles.class.getResource(engine + ".txt") != null;
    }

    /**
     * Whether the template for hosts has a place for a value.
     *
     * @param value its name; {@value #DRILL} for the drill that is chosen
     */
    static boolean takes(String engine, String value) {
        String template = HostScript.read(StartFiles.class, engine + ".txt");
        return value.equals(DRILL) ? !template.contains(PART + DRILL) : template.contains("$" + value);
    }

    /** The files for a cluster on this machine. */
    static StartFiles local(String drill) {
        Map<String, String> texts = new LinkedHashMap<>();
        texts.put(WORKLOAD, HostScript.read(StartFiles.class, WORKLOAD));
        texts.put(DRILL, withoutSchema(drill));
        return new StartFiles(texts);
    }

    /**
     * The files for a cluster on hosts.
     *
     * @param values of the placeholders that are not {@code host} and {@code n}, by name
     * @param drill the text of the drill, where the template has none of its own
     */
    static StartFiles hosts(String engine, List<String> hosts, Map<String, String> values, String drill) {
        Map<String, String> texts = new LinkedHashMap<>();
        String template = "\n" + HostScript.read(StartFiles.class, engine + ".txt");
        for (String part : template.substring(1 + PART.length()).split("\n" + PART)) {
            String[] nameAndText = part.split("\n", 2);
            texts.put(nameAndText[0], filled(nameAndText[1], hosts, values));
        }
        texts.merge(WORKLOAD, HostScript.read(StartFiles.class, WORKLOAD), (own, common) -> common + own);
        texts.putIfAbsent(DRILL, withoutSchema(drill));
        return new StartFiles(texts);
    }

    /** Entries of a list of hosts. */
    static String entries(String id, List<String> hosts) {
        return IntStream.range(0, hosts.size())
                .mapToObj(i -> "{id: " + id + (i + 1) + ", host: " + hosts.get(i) + "}")
                .collect(Collectors.joining(", "));
    }

    /** What the template for engines of files has beside the values of all. */
    static Map<String, String> ofFile(DeclaredEngine engine, Path file) {
        String ports = engine.portProperties().stream()
                .map(port -> port + ": \"PORT\"")
                .collect(Collectors.joining(", "));
        return Map.of("engine", file.toString(), "name", engine.name(), "ports", ports);
    }

    private static String filled(String text, List<String> hosts, Map<String, String> values) {
        List<String> lines = new ArrayList<>();
        for (String line : text.lines().toList()) {
            if (line.matches("\\w+: \\[\\$\\w+]")
                    && values.get(line.replaceAll(".*\\$(\\w+).*", "$1")).isEmpty()) {
                continue; // a list of nothing
            }
            String all = line.replaceAll(".*?(http://)?\\$hosts(:\\d+).*", "$1 $2");
            if (!all.equals(line)) {
                String scheme = all.substring(0, all.indexOf(' '));
                String port = all.substring(all.indexOf(' ') + 1);
                String list = hosts.stream().map(host -> scheme + host + port).collect(Collectors.joining(","));
                line = line.replace(scheme + "$hosts" + port, list);
            }
            for (Map.Entry<String, String> value : values.entrySet()) {
                line = line.replace("$" + value.getKey(), value.getValue());
            }
            line = line.replace("$first", hosts.get(0));
            for (int i = 0; i < (line.contains("$host") ? hosts.size() : 1); i++) {
                lines.add(line.replace("$host", hosts.get(i))
                        .replace("$id", id(hosts, i))
                        .replace("$n", Integer.toString(i + 1)));
            }
        }
        return String.join("\n", lines) + "\n";
    }

    /** The host's name without its domain, as servers call themselves when nobody names them; of addresses and equal names a number. */
    private static String id(List<String> hosts, int index) {
        List<String> names =
                hosts.stream().map(host -> host.replaceAll("\\..*", "")).toList();
        boolean telling =
                Set.copyOf(names).size() == names.size() && names.get(index).matches(".*[A-Za-z].*");
        return telling ? names.get(index) : "node" + (index + 1);
    }

    /** The schema is beside the shipped file, not beside the copy. */
    private static String withoutSchema(String drill) {
        return drill.lines()
                .filter(line -> !line.startsWith("# yaml-language-server:"))
                .collect(Collectors.joining("\n", "", "\n"));
    }

    /** The names of files that are there already. */
    List<String> present(Path folder) {
        return texts.keySet().stream()
                .filter(name -> Files.exists(folder.resolve(name)))
                .toList();
    }

    Optional<String> text(String name) {
        return Optional.ofNullable(texts.get(name));
    }

    /** Writes them; none of them may be there. */
    void write(Path folder) {
        Io.run(folder + " cannot be written", () -> {
            Files.createDirectories(folder);
            for (Map.Entry<String, String> file : texts.entrySet()) {
                Files.writeString(folder.resolve(file.getKey()), file.getValue(), StandardOpenOption.CREATE_NEW);
            }
        });
    }
}
