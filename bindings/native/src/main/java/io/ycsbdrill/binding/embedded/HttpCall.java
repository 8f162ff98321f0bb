package io.ycsbdrill.binding.embedded;

import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A request, taken apart.
 *
 * @param method in upper case
 * @param path its parts, decoded, without the slashes
 * @param body empty when there is none
 */
record HttpCall(String method, List<String> path, Map<String, List<String>> query, byte[] body) {

    /** @throws IllegalArgumentException when the address is not encoded as it should be */
    static HttpCall of(FullHttpRequest request) {
        QueryStringDecoder decoder = new QueryStringDecoder(request.uri());
        List<String> path = Arrays.stream(decoder.rawPath().split("/"))
                .skip(1)
                .map(HttpCall::decoded)
                .toList();
        Map<String, List<String>> query = request.uri().indexOf('?') < 0 ? Map.of() : decoder.parameters();
        return new HttpCall(request.method().name(), path, query, ByteBufUtil.getBytes(request.content()));
    }

    private static String decoded(String part) {
        return part.indexOf('%') < 0 ? part : URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    String table() {
        return path.get(1);
    }

    String key() {
        return path.get(3);
    }

    /** Whether the method is this one and the path is the first so many parts of {@code /tables/TABLE/rows/KEY}. */
    boolean is(String wanted, int parts) {
        return method.equals(wanted)
                && path.size() == parts
                && path.get(0).equals("tables")
                && (parts < 3 || path.get(2).equals("rows"));
    }

    Optional<String> parameter(String name) {
        return Optional.ofNullable(query.get(name)).map(values -> values.get(0));
    }

    /** The requested fields; null means all. */
    Set<String> fields() {
        List<String> fields = query.get("field");
        return fields == null ? null : new HashSet<>(fields);
    }
}
