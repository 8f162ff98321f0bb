package io.ycsbdrill.client.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.Headers;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestCheckTest {
    private final RequestCheck check = new RequestCheck(true, "127.0.0.1");

    private static Headers headers(String host) {
        Headers headers = new Headers();
        headers.set("Host", host);
        return headers;
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:9464", "127.0.0.1", "localhost:1", "LOCALHOST:1", "[::1]:9464", "10.1.2.3:9464"})
    void anAddressOrThisMachineIsGood(String host) {
        assertThat(check.good(headers(host))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"evil.example", "evil.example:9464", "127.0.0.1.evil.example", "localhost.evil.example:1", ""})
    void aNameThatSomebodyElseMayHavePointedHereIsNot(String host) {
        assertThat(check.good(headers(host))).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "http://127.0.0.1:9464, true",
        "http://evil.example, false",
        "null, false",
        "https://127.0.0.1:9464, false"
    })
    void aPageOfAnotherOriginIsRefused(String origin, boolean good) {
        Headers headers = headers("127.0.0.1:9464");
        headers.set("Origin", origin);

        assertThat(check.good(headers)).isEqualTo(good);
    }

    @ParameterizedTest
    @CsvSource({"9464, 127.0.0.1:9464", "0, 127.0.0.1:0", "0.0.0.0:80, 0.0.0.0:80", "[::1]:80, ::1:80"})
    void addressesAreRead(String text, String address) {
        assertThat(LiveAddress.parse(text)).map(LiveAddress::toString).contains(address);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "70000", "host:", "1:2:x", "-1"})
    void otherTextsAreNoAddresses(String text) {
        assertThat(LiveAddress.parse(text)).isEmpty();
    }
}
