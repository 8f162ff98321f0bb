package io.ycsbdrill.fault.node.patroni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ycsbdrill.fault.node.patroni.PatroniConfig.Place;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PatroniConfigTest {
    @TempDir
    Path folder;

    private String text() {
        return PatroniConfig.patroni(
                new PatroniFiles(folder),
                new PatroniOptions(3, false, false, 30, 10, 10, 1, false, false, "nobody", ""),
                "node1",
                new Place("127.0.0.1", 8008, 5432),
                "127.0.0.1:2379",
                "127.0.0.0/8",
                "generated");
    }

    /** A Patroni that is killed or paused is what a watchdog restarts the machine for. */
    @Test
    void noDrillRestartsThisMachineByItsWatchdog() throws Exception {
        assertThat(new ObjectMapper().readTree(text()).at("/watchdog/mode").asText())
                .isEqualTo("off");
    }

    @Test
    void whateverChangesSomethingNeedsThePassword() throws Exception {
        String text = text();
        Path file = Files.writeString(folder.resolve("patroni.yml"), text);

        JsonNode rest = new ObjectMapper().readTree(text).path("restapi").path("authentication");
        String pair = rest.path("username").asText() + ":generated";
        assertThat(rest.path("password").asText()).isEqualTo("generated");
        assertThat(PatroniConfig.authorization(file))
                .containsExactly(
                        "Authorization",
                        "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8)));
    }

    /** Behind it, clients know one server; a proxy stands outside of isolated networks, as clients do. */
    @Test
    void aListOfServersIsNotForClientsOfAProxy() {
        PatroniEngine engine = new PatroniEngine();

        engine.check(Map.of("haproxy", "true", "network", "isolated"));
        engine.check(Map.of("url-list", "true", "network", "isolated"));
        assertThatThrownBy(() -> engine.check(Map.of("haproxy", "true", "url-list", "true")))
                .hasMessageContaining("--url-list and --haproxy cannot be combined");
    }

    @Test
    void onlyAnIsolatedEtcdIsOutOfOthersReach() {
        assertThat(PatroniEngine.exposure(true)).isEmpty();
        assertThat(PatroniEngine.exposure(false).orElseThrow()).contains("etcd", "--network isolated");
    }
}
