package io.ycsbdrill.binding.rest.dialect;

import io.ycsbdrill.base.InputFile;
import io.ycsbdrill.base.NearestName;
import io.ycsbdrill.base.Secrets;
import io.ycsbdrill.binding.Statuses;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import site.ycsb.Status;

/**
 * Reads the request file of the dialect {@code generic}: lines {@code key = value}, empty ones, and comments that begin with
 * {@code #}. {@code docs/rest.md} has the keys. Used by one thread, once.
 */
final class TemplateFile {
    /** The type of bodies, unless the file says another one. */
    static final String JSON = "application/json";

    private static final List<String> OPERATIONS = List.of("read", "scan", "insert", "update", "delete");
    private static final List<String> KEYS = List.of("probe", "key", "charset", "encoding");
    private static final Pattern REQUEST = Pattern.compile("([A-Z]{3,10}) (/\\S*)");
    private static final Pattern HEADER = Pattern.compile("header\\.([A-Za-z0-9-]+)");
    private static final Pattern CODE = Pattern.compile("(?:([a-z]+)\\.)?status\\.([1-5]\\d\\d)");
    private static final Map<String, Status> STATUSES = new TreeMap<>(Map.of(
            "not-found", Status.NOT_FOUND,
            "bad-request", Status.BAD_REQUEST,
            "forbidden", Status.FORBIDDEN,
            "duplicate-key", Statuses.DUPLICATE_KEY,
            "failed", Statuses.FAILED,
            "temporary", Statuses.TEMPORARY,
            "unavailable", Statuses.UNAVAILABLE,
            "unknown", Statuses.UNKNOWN));

    private final Path file;
    private final List<String> problems = new ArrayList<>();
    private final Set<String> seen = new HashSet<>();
    /** Those that the file says something of, by name. */
    private final Map<String, Said> operations = new TreeMap<>();

    private final Map<Integer, Status> statuses = new HashMap<>();
    private final Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private String probe = "GET /";
    private String key;
    private JsonRow codec = new JsonRow(StandardCharsets.UTF_8);
    private boolean base64;
    private Optional<Status> absent = Optional.empty();

    /** What the file says of one operation. */
    private static final class Said {
        private String method;
        private Template path;
        private Optional<Template> body = Optional.empty();
        private List<String> rows = List.of();
        private final Map<Integer, Status> statuses = new HashMap<>();
    }

    private Said said(String operation) {
        return operations.computeIfAbsent(operation, none -> new Said());
    }

    private TemplateFile(Path file) {
        this.file = file;
    }

    /**
     * @param allFields the names of the table's fields
     * @throws IllegalArgumentException naming every line that is wrong
     * @throws IOException when the file cannot be read
     */
    static GenericDialect read(Path file, List<String> allFields) throws IOException {
        TemplateFile reading = new TemplateFile(file);
        List<String> lines =
                InputFile.text(file, InputFile.Kind.SETTINGS).lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                reading.line(file + ", line " + (i + 1) + ": ", line);
            }
        }
        return reading.dialect(allFields);
    }

    private void line(String where, String line) {
        int equals = line.indexOf('=');
        if (equals < 1) {
            problems.add(where + "\"" + line + "\" is not KEY = VALUE");
            return;
        }
        String name = line.substring(0, equals).strip();
        String value = line.substring(equals + 1).strip();
        try {
            if (!seen.add(name)) {
                throw new IllegalArgumentException("is already set");
            }
            entry(name, value);
        } catch (IllegalArgumentException e) {
            problems.add(where + name + " " + e.getMessage());
        }
    }

    private void entry(String name, String value) {
        int dot = name.indexOf('.');
        String operation = dot < 0 ? "" : name.substring(0, dot);
        String rest = name.substring(dot + 1);
        Matcher header = HEADER.matcher(name);
        Matcher code = CODE.matcher(name);
        if (code.matches() && (code.group(1) == null || OPERATIONS.contains(code.group(1)))) {
            Status status = status(value);
            Map<Integer, Status> table = code.group(1) == null ? statuses : said(code.group(1)).statuses;
            table.put(Integer.parseInt(code.group(2)), status);
        } else if (header.matches()) {
            // Of "Bearer abc" a server may repeat the second word alone.
            Secrets.know(header.group(1), value);
            Secrets.know(header.group(1), value.substring(value.lastIndexOf(' ') + 1));
            if (headers.put(header.group(1), value) != null) {
                throw new IllegalArgumentException("is already set");
            }
        } else if (OPERATIONS.contains(operation) && rest.equals("request")) {
            String[] parts = requested(value);
            said(operation).method = parts[0];
            said(operation).path = Template.of(parts[1], EnumSet.complementOf(EnumSet.of(Template.Hole.VALUES)));
        } else if (OPERATIONS.contains(operation) && rest.equals("body")) {
            Template body = Template.of(value, EnumSet.allOf(Template.Hole.class));
            said(operation).body = Optional.of(body);
        } else if (operation.equals("read") && rest.equals("row") || operation.equals("scan") && rest.equals("rows")) {
            said(operation).rows = value.isEmpty() ? List.of() : List.of(value.split("\\."));
        } else if (name.equals("read.absent")) {
            absent = Optional.of(status(value));
        } else if (name.equals("encoding")) {
            if (!value.equals("base64")) {
                throw new IllegalArgumentException("= " + value + ": expected base64, or no such line");
            }
            base64 = true;
        } else if (name.equals("probe")) {
            requested(value);
            probe = value;
        } else if (name.equals("key")) {
            key = value;
        } else if (name.equals("charset")) {
            codec = switch (value) {
                case "utf-8" -> new JsonRow(StandardCharsets.UTF_8);
                case "latin-1" -> new JsonRow(StandardCharsets.ISO_8859_1);
                default -> throw new IllegalArgumentException("= " + value + ": expected utf-8 or latin-1");
            };
        } else {
            throw new IllegalArgumentException("is not a key of this file" + NearestName.hint(name, known()));
        }
    }

    private static String[] requested(String value) {
        Matcher matcher = REQUEST.matcher(value);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "= " + value + ": expected a method and a path, as in GET /{table}/{key}");
        }
        if (matcher.group(1).equals("HEAD")) {
            throw new IllegalArgumentException(
                    "= " + value + ": expected a method other than HEAD, whose replies have no body");
        }
        return new String[] {matcher.group(1), matcher.group(2)};
    }

    private static Status status(String value) {
        Status status = STATUSES.get(value);
        if (status == null) {
            throw new IllegalArgumentException("= " + value + ": expected one of "
                    + String.join(", ", STATUSES.keySet()) + NearestName.hint(value, STATUSES.keySet()));
        }
        return status;
    }

    private static List<String> known() {
        List<String> known = new ArrayList<>(KEYS);
        OPERATIONS.forEach(operation -> known.addAll(List.of(operation + ".request", operation + ".body")));
        known.addAll(List.of("read.row", "read.absent", "scan.rows", "status.404", "header.X-NAME"));
        return known;
    }

    private GenericDialect dialect(List<String> allFields) {
        Map<String, GenericDialect.Operation> requests = new HashMap<>();
        for (String name : OPERATIONS) {
            Said said = said(name);
            if (said.method != null) {
                requests.put(
                        name,
                        new GenericDialect.Operation(said.method, said.path, said.body, said.rows, said.statuses));
            } else if (said.body.isPresent() || !said.statuses.isEmpty()) {
                problems.add(file + ": " + name + ".request is missing, but other keys are set for " + name);
            }
        }
        if (base64 && requests.containsKey("scan")) {
            problems.add(file + ": scan.request is not supported with encoding = base64; leave it out");
        }
        if (requests.isEmpty()) {
            problems.add(file + ": no request; expected read.request or others");
        }
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", problems));
        }
        String[] asked = requested(probe);
        // Only requests that have a body name its type.
        Optional<String> type = Optional.ofNullable(headers.remove("Content-Type"));
        return new GenericDialect(
                requests,
                asked[0],
                asked[1],
                statuses,
                headers,
                type.orElse(JSON),
                Optional.ofNullable(key),
                codec,
                allFields,
                base64,
                absent);
    }
}
