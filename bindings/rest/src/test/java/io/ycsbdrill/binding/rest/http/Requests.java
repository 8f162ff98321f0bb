package io.ycsbdrill.binding.rest.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;

/** Requests as the bytes that would be sent. */
public final class Requests {
    private Requests() {}

    public static String text(Request request) {
        ByteBuf out = Unpooled.buffer();
        request.writeTo(out, new byte[0], "Host: h\r\n".getBytes(StandardCharsets.US_ASCII));
        return out.toString(StandardCharsets.UTF_8);
    }
}
