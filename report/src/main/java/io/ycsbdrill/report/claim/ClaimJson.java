package io.ycsbdrill.report.claim;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.report.claim.Claim.Expect;
import io.ycsbdrill.report.claim.Claim.Kind;
import io.ycsbdrill.report.claim.Claim.Range;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Claims in the files of an experiment and of a suite. Stateless. */
public final class ClaimJson {
    private ClaimJson() {}

    /** Writes the claims of a record. */
    public static final class Writer extends JsonSerializer<List<Claim>> {
        @Override
        public void serialize(List<Claim> claims, JsonGenerator out, SerializerProvider serializers)
                throws IOException {
            ArrayNode array = JsonNodeFactory.instance.arrayNode();
            write(claims, array);
            out.writeTree(array);
        }

        @Override
        public boolean isEmpty(SerializerProvider serializers, List<Claim> claims) {
            return claims.isEmpty();
        }
    }

    /** Reads the claims of a record. */
    public static final class Reader extends JsonDeserializer<List<Claim>> {
        @Override
        public List<Claim> deserialize(JsonParser in, DeserializationContext context) throws IOException {
            return read(context.readTree(in));
        }
    }

    /** Adds the claims to an array. */
    public static void write(List<Claim> claims, ArrayNode array) {
        claims.forEach(claim -> write(claim, array.addObject()));
    }

    /** Adds what a claim says to an object; what it does not say is left out. */
    public static void write(Claim claim, ObjectNode node) {
        node.put("id", claim.id())
                .put("quote", claim.quote())
                .put("kind", claim.kind().word());
        claim.claimed()
                .ifPresent(range -> node.putArray("claimed").add(range.low()).add(range.high()));
        claim.recomputed().ifPresent(text -> node.put("recomputed", text));
        claim.recomputedRange()
                .ifPresent(range ->
                        node.putArray("recomputedRange").add(range.low()).add(range.high()));
        claim.figure().ifPresent(text -> node.put("figure", text));
        claim.of().forEach(node.putObject("of")::put);
        claim.to().forEach(node.putObject("to")::put);
        if (claim.kind() == Kind.RATIO) {
            node.put("tolerance", claim.tolerance());
        }
        claim.expect()
                .ifPresent(expect ->
                        node.putObject("expect").put("more", expect.more()).put("bound", expect.bound()));
        claim.notComparable().ifPresent(text -> node.put("notComparable", text));
        claim.notMeasured().ifPresent(text -> node.put("notMeasured", text));
    }

    /** Reads them back. */
    public static List<Claim> read(JsonNode array) {
        List<Claim> claims = new ArrayList<>();
        array.forEach(node -> claims.add(new Claim(
                node.path("id").asText(),
                node.path("quote").asText(),
                Kind.valueOf(node.path("kind").asText().toUpperCase(Locale.ROOT)),
                range(node.path("claimed")),
                text(node, "recomputed"),
                // Before ranges there was one number.
                range(node.path(node.has("recomputedValue") ? "recomputedValue" : "recomputedRange")),
                text(node, "figure"),
                levels(node.path("of")),
                levels(node.path("to")),
                node.path("tolerance").asDouble(),
                node.has("expect")
                        ? Optional.of(new Expect(
                                node.path("expect").path("more").asBoolean(),
                                node.path("expect").path("bound").asDouble()))
                        : Optional.empty(),
                text(node, "notComparable"),
                text(node, "notMeasured"))));
        return claims;
    }

    private static Optional<Range> range(JsonNode node) {
        if (node.isNumber()) {
            return Optional.of(new Range(node.asDouble(), node.asDouble()));
        }
        return node.isArray()
                ? Optional.of(new Range(node.path(0).asDouble(), node.path(1).asDouble()))
                : Optional.empty();
    }

    private static Optional<String> text(JsonNode node, String key) {
        return node.has(key) ? Optional.of(node.path(key).asText()) : Optional.empty();
    }

    private static Map<String, String> levels(JsonNode node) {
        Map<String, String> levels = new LinkedHashMap<>();
        node.properties()
                .forEach(level -> levels.put(level.getKey(), level.getValue().asText()));
        return levels;
    }
}
