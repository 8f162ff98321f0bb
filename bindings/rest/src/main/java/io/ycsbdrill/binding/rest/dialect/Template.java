package io.ycsbdrill.binding.rest.dialect;

import com.fasterxml.jackson.core.JsonGenerator;
import io.ycsbdrill.binding.rest.http.Request;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import site.ycsb.ByteIterator;

/**
 * A text with holes, {@code /{table}/{key}}, that each operation fills. Immutable.
 *
 * @param parts literals and holes in turn, as they come
 */
record Template(List<Part> parts) {
    private static final Pattern HOLE = Pattern.compile("\\{([A-Za-z][A-Za-z0-9._-]*)}");

    /** What goes into a hole. In a path it is percent-encoded, in a body it is JSON. */
    enum Hole {
        TABLE,
        KEY,
        /** The number of rows of a scan. */
        COUNT,
        /** The names of the wanted fields: in a path with commas between them, in a body an array. */
        NAMES,
        /** The values to write: an object. In bodies only. */
        VALUES
    }

    /**
     * @param literal empty at a hole
     * @param hole null at a literal
     */
    record Part(String literal, Hole hole) {}

    /** The values that an operation fills in. */
    record Filling(String table, String key, int count, List<String> names, Map<String, ByteIterator> values) {

        /** @param wanted null means all of the table's fields */
        static Filling reading(String table, String key, int count, Set<String> wanted, List<String> all) {
            return new Filling(table, key, count, wanted == null ? all : List.copyOf(wanted), Map.of());
        }

        static Filling writing(String table, String key, Map<String, ByteIterator> values) {
            return new Filling(table, key, 1, List.of(), values);
        }
    }

    Template {
        parts = List.copyOf(parts);
    }

    /** @throws IllegalArgumentException when a hole is none of those that there are */
    static Template of(String text, Set<Hole> allowed) {
        List<Part> parts = new ArrayList<>();
        Matcher matcher = HOLE.matcher(text);
        int end = 0;
        while (matcher.find()) {
            parts.add(new Part(text.substring(end, matcher.start()), null));
            parts.add(new Part("", hole(matcher.group(1), allowed)));
            end = matcher.end();
        }
        parts.add(new Part(text.substring(end), null));
        return new Template(parts);
    }

    private static Hole hole(String name, Set<Hole> allowed) {
        for (Hole hole : allowed) {
            if (hole.name().toLowerCase(Locale.ROOT).equals(name)) {
                return hole;
            }
        }
        throw new IllegalArgumentException("{" + name + "} is not supported here; expected "
                + allowed.stream()
                        .sorted()
                        .map(hole -> "{" + hole.name().toLowerCase(Locale.ROOT) + "}")
                        .toList());
    }

    /** Writes the template as the request's path and query. */
    void fillPath(Request request, Filling filling) {
        for (Part part : parts) {
            if (part.hole == null) {
                request.path(part.literal);
                continue;
            }
            switch (part.hole) {
                case TABLE -> request.encoded(filling.table);
                case KEY -> request.encoded(filling.key);
                case COUNT -> request.path(Integer.toString(filling.count));
                default -> {
                    for (int i = 0; i < filling.names.size(); i++) {
                        request.path(i == 0 ? "" : ",").encoded(filling.names.get(i));
                    }
                }
            }
        }
    }

    /**
     * Writes the template as the request's JSON body.
     *
     * @param type of the body
     * @param base64 whether keys and rows are strings of that form
     */
    void fillBody(Request request, String type, Filling filling, JsonRow rows, boolean base64) throws IOException {
        JsonGenerator out = request.json(type);
        for (Part part : parts) {
            if (part.hole == null) {
                out.writeRaw(part.literal);
                continue;
            }
            switch (part.hole) {
                case TABLE -> out.writeString(filling.table);
                case KEY -> {
                    if (base64) {
                        out.writeBinary(filling.key.getBytes(StandardCharsets.UTF_8));
                    } else {
                        out.writeString(filling.key);
                    }
                }
                case COUNT -> out.writeNumber(filling.count);
                case NAMES -> out.writeArray(filling.names.toArray(String[]::new), 0, filling.names.size());
                case VALUES -> {
                    if (base64) {
                        out.writeBinary(rows.whole(filling.values));
                    } else {
                        out.writeStartObject();
                        rows.write(out, filling.values);
                        out.writeEndObject();
                    }
                }
            }
        }
    }
}
