package io.ycsbdrill.fault.schedule;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * The limits of one drill; absent ones are not judged. Judged by the report, from the run directory. Immutable.
 *
 * @param values in the limit's unit; not negative
 */
public record Limits(Map<Limit, Number> values) {

    /** No limit at all. */
    public static final Limits NONE = new Limits(Map.of());

    public Limits {
        Map<Limit, Number> copy = new EnumMap<>(Limit.class);
        copy.putAll(values);
        copy.forEach((limit, value) -> {
            if (!(value.doubleValue() >= 0)) {
                throw new IllegalArgumentException("limit " + limit.key() + " " + value + " is negative");
            }
        });
        values = Collections.unmodifiableMap(copy);
    }

    /** These, and another one; seconds, a percentage or a count. */
    public Limits with(Limit limit, Number value) {
        Map<Limit, Number> more = new EnumMap<>(Limit.class);
        more.putAll(values);
        more.put(limit, value);
        return new Limits(more);
    }

    /** The value of a limit; empty when it is not set. */
    public Optional<Number> get(Limit limit) {
        return Optional.ofNullable(values.get(limit));
    }

    /** Whether one of them can be judged only with an audit. */
    public boolean needAudit() {
        return values.containsKey(Limit.MAX_RPO)
                || get(Limit.ACKED_LOST)
                        .filter(value -> !value.equals(Limit.ANY))
                        .isPresent();
    }

    /** As in {@code drill.limits} of {@code run.json}: units in the names, absent limits absent. */
    public ObjectNode toJson() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        values.forEach((limit, value) -> {
            if (value.equals(Limit.ANY)) {
                json.put(limit.jsonKey(), "any");
            } else if (limit.unit() == Limit.Unit.COUNT) {
                json.put(limit.jsonKey(), value.longValue());
            } else {
                json.put(limit.jsonKey(), value.doubleValue());
            }
        });
        return json;
    }
}
