package io.ycsbdrill.binding.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class HttpConnectionTest {
    @Test
    void aWebPageOfAnybodyIsRefused() {
        EmbeddedChannel channel = new EmbeddedChannel(new HttpConnection(null, Runnable::run));
        DefaultFullHttpRequest request =
                new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/rows/usertable/user1");
        request.headers().set("Origin", "http://example.org");

        channel.writeInbound(request);

        FullHttpResponse response = channel.readOutbound();
        assertThat(response.status().code()).isEqualTo(403);
        assertThat(response.content().toString(StandardCharsets.UTF_8)).contains("not for web pages");
        response.release();
        channel.finishAndReleaseAll();
    }
}
