package io.ycsbdrill.binding.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.binding.Secret;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import site.ycsb.DBException;

class RestSettingsTest {
    private static RestSettings of(String... given) throws DBException {
        Properties properties = new Properties();
        properties.setProperty("rest.endpoints", "http://a:1");
        for (int i = 0; i < given.length; i += 2) {
            properties.setProperty(given[i], given[i + 1]);
        }
        return RestSettings.of(properties, Map.of("TOKEN", "from-env"));
    }

    @Test
    void defaultsAreThoseOfTheDocumentation() throws DBException {
        RestSettings settings = of();

        assertThat(settings.http().connectTimeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(settings.http().timeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(of("rest.dialect", "cratedb").http().timeout()).isEqualTo(Duration.ofSeconds(75));
        assertThat(settings.http().idleTimeout()).isEqualTo(Duration.ofSeconds(25));
        assertThat(settings.http().verify()).isTrue();
        assertThat(settings.http().gzip()).isTrue();
        assertThat(settings.http().credentials()).isEmpty();
    }

    /** A collection of a fresh FaunaDB took longer than the 4 s that were meant for reads. */
    @Test
    void aShortTimeoutIsForOperationsAndNotForMakingTheTable() throws DBException {
        RestSettings hasty = of("rest.dialect", "faunadb", "rest.timeout", "4s");

        assertThat(hasty.preparing().timeout()).isEqualTo(Duration.ofSeconds(125));
        assertThat(hasty.preparing().headers()).containsEntry("x-query-timeout-ms", "120000");
        assertThat(hasty.preparing().endpoints()).isEqualTo(hasty.http().endpoints());
        assertThat(hasty.http().headers()).containsEntry("x-query-timeout-ms", "3600");

        RestSettings patient = of("rest.timeout", "2m");
        assertThat(patient.preparing()).isSameAs(patient.http());
    }

    @ParameterizedTest
    @CsvSource({
        "http://a:1, http://a:1",
        "https://h, https://h:443",
        "http://h/p/, http://h:80/p",
        "http://[::1]:9/, http://[::1]:9"
    })
    void endpointsAreReadWithDefaultPortsAndPrefixes(String text, String shown) throws DBException {
        assertThat(of("rest.endpoints", text).http().endpoints()).hasToString("[" + shown + "]");
    }

    @ParameterizedTest
    @CsvSource({
        "rest.endpoints, 'h:80', rest.endpoints=h:80: expected the servers' addresses",
        "rest.endpoints, 'http://u:hidden@h', rest.endpoints=http://***@h: expected",
        "rest.endpoints, 'http://u:pa/hidden@h', rest.endpoints=http://***@h: expected",
        "rest.endpoints, 'http://h,http://h:80', each server once",
        "rest.timeout, 5, 'with its unit'",
        "rest.dialect, ignit, did you mean \"ignite\"?",
        "rest.timeuot, 5s, did you mean \"rest.timeout\"?",
        "rest.user, me, rest.user and rest.password together",
        "rest.tls.ca, absent.pem, 'rest.tls.ca=absent.pem: expected a file with certificates (PEM)'",
        "rest.token.env, ABSENT, the name of an environment variable that is set"
    })
    void wrongPropertiesAreRefused(String key, String value, String complaint) {
        assertThatThrownBy(() -> of(key, value))
                .isInstanceOf(DBException.class)
                .hasMessageContaining(complaint)
                .hasMessageNotContaining("hidden");
    }

    @Test
    void credentialsAreHeadersAndNeverShown() throws DBException {
        RestSettings basic = of("rest.user", "me", "rest.password", "pw");
        RestSettings bearer = of("rest.token.env", "TOKEN", "rest.api-key", "k1");

        assertThat(basic.http().credentials()).containsEntry("Authorization", new Secret("Basic bWU6cHc="));
        assertThat(bearer.http().credentials())
                .containsEntry("Authorization", new Secret("Bearer from-env"))
                .containsEntry("X-API-KEY", new Secret("k1"));
        assertThat(bearer.toString()).doesNotContain("from-env", "k1");
    }
}
