package io.ycsbdrill.fault.node.faunadb;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FaunaDbSettingsTest {
    private final Locale before = Locale.getDefault();

    @AfterEach
    void restore() {
        Locale.setDefault(before);
    }

    @Test
    void configurationHasTheSameDigitsForEveryUser() {
        Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
        assertThat("%d".formatted(7500)).as("digits of this locale").isNotEqualTo("7500");
        FaunaDbSettings settings = new FaunaDbSettings(
                new FaunaDbHome(Path.of("/opt/faunadb")), Path.of("/usr/bin/java"), 3, 1, "512m", 8443, 8444, 7500);

        assertThat(settings.configuration(new FaunaDbFiles(Path.of("/tmp/c")), "node2", "key"))
                .contains(
                        "network_coordinator_http_port: 8443\n",
                        "network_admin_http_port: 8444\n",
                        "network_peer_port: 7500\n",
                        "network_listen_address: 127.0.0.2\n");
    }
}
