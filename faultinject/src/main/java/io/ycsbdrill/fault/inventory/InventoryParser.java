package io.ycsbdrill.fault.inventory;

import io.ycsbdrill.base.Secrets;
import io.ycsbdrill.base.yaml.LineProblems;
import io.ycsbdrill.base.yaml.Section;
import io.ycsbdrill.fault.host.Host;
import io.ycsbdrill.fault.host.Transport;
import io.ycsbdrill.fault.inventory.HostedNode.Role;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.nodes.Node;

/** Turns the document of an inventory into hosts, nodes and commands, collecting everything that is wrong with it. Used once. */
final class InventoryParser {
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(60);
    private static final String DEFAULT_DIRECTORY = "/var/tmp/ycsb-drill";
    private static final String DEFAULT_JOURNAL = "/var/tmp/ycsb-drill-heal";
    private static final int MOST_PORT = 65_535;
    private static final String NAMES = Host.NAMES;

    /** A whole path on a host: nothing that a shell would read in another way. */
    private static final Pattern PATH = Pattern.compile("/[A-Za-z0-9._:@%+,=/-]*");

    /** At least two levels; nothing of the system, and below /home, /var and /run not their own folders. */
    private static final Pattern OF_DATA =
            Pattern.compile("/(?!(etc|proc|sys|dev|boot|bin|sbin|lib|lib64)/)(?!(home|usr|var|run)/[^/]+$)[^/]+/.+");

    private final LineProblems problems;
    private final Function<Section, Optional<HostedEngine>> engineOf;
    private final Properties given;
    private final Set<String> ids = new HashSet<>();
    private Map<String, String> properties = Map.of();

    /**
     * @param engineOf reads which one the cluster is of
     * @param given properties that count before those of the document
     */
    InventoryParser(LineProblems problems, Function<Section, Optional<HostedEngine>> engineOf, Properties given) {
        this.problems = problems;
        this.engineOf = engineOf;
        this.given = given;
    }

    Optional<Inventory> parse(Node root) {
        return Section.of(root, "engine, data_nodes and other keys", problems).flatMap(this::parse);
    }

    private Optional<Inventory> parse(Section file) {
        Optional<HostedEngine> engine = engineOf.apply(file);
        properties = texts(file, "properties");
        Duration timeout = file.duration("timeout", Duration.ofMillis(1), Duration.ofHours(24))
                .orElse(DEFAULT_TIMEOUT);
        String journal = path(file, "journal").orElse(DEFAULT_JOURNAL);
        Map<NodeAction, NodeCommand> commands = CommandParser.commands(file);
        Defaults defaults = file.section("defaults").map(this::defaults).orElse(Defaults.NONE);
        List<HostedNode> nodes = new ArrayList<>();
        for (Role role : Role.values()) {
            for (Section entry : hosts(file, role.key())) {
                node(entry, role, defaults, engine, commands).ifPresent(nodes::add);
            }
        }
        List<ClientHost> clients = new ArrayList<>();
        for (Section entry : hosts(file, "clients")) {
            client(entry, defaults).ifPresent(clients::add);
        }
        if (!file.has(Role.DATA.key()) && !file.has("clients")) {
            file.missing(Role.DATA.key(), "a list of the data nodes, or clients: a list of hosts for clients");
        }
        if (engine.filter(of -> of.defaults().isOfFile()).isPresent()) {
            EngineReader.requireApart(file, nodes);
        }
        file.rejectOthers();
        return problems.any()
                ? Optional.empty()
                : engine.map(of -> new Inventory(of, properties, nodes, clients, timeout, journal));
    }

    private static List<Section> hosts(Section file, String name) {
        return file.sections(name, "a list of at least one: - {id: a, host: b}", "keys and values: {id: a, host: b}");
    }

    private Optional<HostedNode> node(
            Section entry,
            Role role,
            Defaults defaults,
            Optional<HostedEngine> engine,
            Map<NodeAction, NodeCommand> commands) {
        Optional<String> id = id(entry);
        Optional<Host> host = host(entry, defaults);
        Map<NodeAction, NodeCommand> own = new EnumMap<>(NodeAction.class);
        // Commands for all are for the data nodes: a server of another kind is another program.
        if (role == Role.DATA) {
            own.putAll(commands);
        }
        own.putAll(CommandParser.commands(entry));
        Optional<EngineDefaults> usual = role == Role.DATA ? engine.map(HostedEngine::defaults) : Optional.empty();
        Optional<String> data = dataDirectory(entry)
                .or(() -> role == Role.DATA ? defaults.dataDirectory() : Optional.empty())
                .or(() -> usual.map(EngineDefaults::dataDirectory));
        Optional<String> pidFile = path(entry, "pid_file")
                .or(() -> role == Role.DATA ? defaults.pidFile() : Optional.empty())
                .or(() -> usual.map(each -> each.pidFile().replace(EngineDefaults.DATA, data.orElse(""))));
        Optional<String> log = path(entry, "log").or(() -> role == Role.DATA ? defaults.log() : Optional.empty());
        List<String> programs = entry.has("program")
                ? name(entry, "program")
                        .map(name -> usual.map(each -> each.programsWith(name)).orElse(List.of(name)))
                        .orElse(List.of())
                : usual.map(EngineDefaults::programs).orElse(List.of("mysqld", "mariadbd", "ndb_mgmd"));
        Map<String, String> labels = texts(entry, "labels");
        Optional<String> zone = name(entry, "zone");
        if (role != Role.DATA && zone.isPresent()) {
            entry.problem("zone", "only servers of " + Role.DATA.key() + " are in zones");
        }
        if (usual.filter(EngineDefaults::isOfFile).isPresent()) {
            host.ifPresent(on -> EngineReader.requireOfFile(entry, on.transport(), own, pidFile, data));
        }
        entry.rejectOthers();
        if (id.isEmpty() || host.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new HostedNode(
                id.get(),
                role,
                host.get(),
                filled(pidFile.orElse(""), id.get()),
                programs,
                filled(data.orElse(""), id.get()),
                filled(usual.map(EngineDefaults::dataMark).orElse(""), id.get()),
                filled(usual.map(EngineDefaults::start).orElse(List.of()), id.get()),
                filled(usual.map(EngineDefaults::initialise).orElse(List.of()), id.get()),
                usual.map(EngineDefaults::supervisor).orElse(""),
                own,
                zone,
                labels,
                filled(log.orElse(""), id.get())));
    }

    private Optional<ClientHost> client(Section entry, Defaults defaults) {
        Optional<String> id = id(entry);
        Optional<Host> host = host(entry, defaults);
        // One for each user: what belongs to another one is not trusted.
        String directory = path(entry, "directory")
                .orElseGet(() -> DEFAULT_DIRECTORY + "-"
                        + host.flatMap(Host::user)
                                .orElse(System.getProperty("user.name"))
                                .replaceAll("[^A-Za-z0-9._-]", "_"));
        Optional<String> java = entry.text("java", "a program");
        java.filter(given -> !Host.NAME.matcher(given).matches()
                        && !PATH.matcher(given).matches())
                .ifPresent(given -> entry.problem("java", "\"" + given + "\"; expected a program or its whole path"));
        Optional<String> installed = path(entry, "installed");
        List<String> jvm = entry.texts("jvm_args");
        jvm.stream()
                .filter(argument -> !Secrets.inArgument(argument).equals(argument))
                .forEach(argument -> entry.problem(
                        "jvm_args",
                        Secrets.inArgument(argument) + " is a secret, and would be in the process list there; name an"
                                + " argument file of that host that has it: \"@/path/of/file\""));
        Map<String, String> more = texts(entry, "properties");
        Map<String, String> labels = texts(entry, "labels");
        entry.rejectOthers();
        return id.isEmpty() || host.isEmpty()
                ? Optional.empty()
                : Optional.of(new ClientHost(
                        id.get(), host.get(), directory, java.orElse("java"), installed, jvm, more, labels));
    }

    private Optional<String> id(Section entry) {
        entry.require("id", "a name of its own");
        Optional<String> id = name(entry, "id");
        id.filter(given -> !ids.add(given))
                .ifPresent(given -> entry.problem("id", "\"" + given + "\" is given twice in this inventory"));
        return id;
    }

    private Optional<Host> host(Section entry, Defaults defaults) {
        Optional<Transport> transport = transport(entry).or(defaults::transport);
        Optional<String> address = name(entry, "host");
        if (transport.isEmpty() && !entry.has("transport")) {
            entry.missing(
                    "transport",
                    "one of " + String.join(", ", labels()) + "; for all entries: defaults: {transport: ssh}");
        }
        if (address.isEmpty() && !entry.has("host") && transport.orElse(null) != Transport.LOCAL) {
            entry.missing("host", "name or address of the machine, or name of the container or pod");
        }
        List<String> addresses = entry.texts("addresses");
        addresses.stream()
                .filter(each -> !Host.NAME.matcher(each).matches())
                .forEach(each -> entry.problem(
                        "addresses", "\"" + each + "\"; expected names or addresses of the machine: " + Host.NAMES));
        Details here = details(entry);
        Details all = defaults.details();
        if (transport.isEmpty()
                || address.isEmpty() && transport.get() != Transport.LOCAL
                || !addresses.stream().allMatch(each -> Host.NAME.matcher(each).matches())) {
            return Optional.empty();
        }
        return Optional.of(transport
                .get()
                .pinned(new Host(
                        transport.get(),
                        address.orElse("localhost"),
                        here.user().or(all::user),
                        here.port().isPresent() ? here.port() : all.port(),
                        here.sshConfig().or(all::sshConfig),
                        here.namespace().or(all::namespace),
                        here.context().or(all::context),
                        here.container().or(all::container),
                        addresses)));
    }

    private Optional<Transport> transport(Section entry) {
        return entry.choice("transport", List.of(Transport.values()), Transport::label);
    }

    private static List<String> labels() {
        return List.of(Transport.values()).stream().map(Transport::label).toList();
    }

    private record Details(
            Optional<String> user,
            OptionalInt port,
            Optional<String> sshConfig,
            Optional<String> namespace,
            Optional<String> context,
            Optional<String> container) {
        static final Details NONE = new Details(
                Optional.empty(),
                OptionalInt.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /** For entries that do not say it themselves. */
    private record Defaults(
            Optional<Transport> transport,
            Details details,
            Optional<String> pidFile,
            Optional<String> dataDirectory,
            Optional<String> log) {
        static final Defaults NONE =
                new Defaults(Optional.empty(), Details.NONE, Optional.empty(), Optional.empty(), Optional.empty());
    }

    private Defaults defaults(Section section) {
        Defaults read = new Defaults(
                transport(section),
                details(section),
                path(section, "pid_file"),
                dataDirectory(section),
                path(section, "log"));
        section.rejectOthers();
        return read;
    }

    private Details details(Section entry) {
        var port = entry.count("port", 1, MOST_PORT);
        return new Details(
                name(entry, "user"),
                port.isPresent() ? OptionalInt.of((int) port.getAsLong()) : OptionalInt.empty(),
                path(entry, "ssh_config"),
                name(entry, "namespace"),
                name(entry, "context"),
                name(entry, "container"));
    }

    private Optional<String> name(Section section, String key) {
        Optional<String> name = section.text(key, "a name");
        if (name.isPresent() && !Host.NAME.matcher(name.get()).matches()) {
            section.problem(key, "\"" + name.get() + "\" is not a name: " + NAMES);
            return Optional.empty();
        }
        return name;
    }

    private Optional<String> path(Section section, String key) {
        Optional<String> path = section.text(key, "a whole path: /var/lib/db");
        if (path.isPresent() && !PATH.matcher(path.get().replace("{node}", "1")).matches()) {
            section.problem(
                    key,
                    "\"" + path.get() + "\"; expected a whole path of letters, digits and . _ : @ % + , = / -, in which"
                            + " {node} is the id");
            return Optional.empty();
        }
        return path;
    }

    /** What is emptied to initialise a node is never a directory that has more than the node's data. */
    private Optional<String> dataDirectory(Section section) {
        return path(section, "data_directory").filter(given -> {
            boolean plain = Path.of(given).normalize().toString().equals(given);
            if (!plain || !OF_DATA.matcher(given).matches()) {
                section.problem(
                        "data_directory",
                        "\"" + given
                                + "\"; expected a directory of this node alone, which may be emptied: without . and"
                                + " .., not at the top, no home and none of the system's: /var/lib/db");
                return false;
            }
            return true;
        });
    }

    private Map<String, String> texts(Section section, String key) {
        Map<String, String> texts = new LinkedHashMap<>();
        section.section(key).ifPresent(all -> all.names()
                .forEach(name -> all.text(name, "text").ifPresent(value -> {
                    if (!Secrets.masked(name, value).equals(value)) {
                        all.problem(
                                name,
                                "looks like a secret, and an inventory has none; give it in a file of your own: -P FILE");
                    }
                    texts.put(name, value);
                })));
        return texts;
    }

    private List<String> filled(List<String> words, String id) {
        return words.stream().map(word -> filled(word, id)).toList();
    }

    /** With the node's id and the properties in effect in their places; the place of what is not known stays. */
    private String filled(String text, String id) {
        return HostedNode.PLACE.matcher(text).replaceAll(place -> Matcher.quoteReplacement(value(place, id)));
    }

    private String value(MatchResult place, String id) {
        String key = place.group(1);
        String known = key.equals("node") ? id : given.getProperty(key, properties.getOrDefault(key, ""));
        return known.isBlank() ? place.group() : known.strip();
    }
}
