package io.ycsbdrill.fault.node.ndb.mgm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.fault.node.ndb.mgm.ConnectString.Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectStringTest {

    @Test
    void serversKeepTheirOrderAndDefaultPort() {
        assertThat(ConnectString.parse("nodeid=5,mgm1:1187, mgm2;host=mgm3:9").servers())
                .containsExactly(new Server("mgm1", 1187), new Server("mgm2", 1186), new Server("mgm3", 9));
    }

    @Test
    void numericVersionSixAddresses() {
        assertThat(ConnectString.parse("[::1]:1187,::1").servers())
                .containsExactly(new Server("::1", 1187), new Server("::1", 1186));
        assertThat(ConnectString.parse("[::1]:1187")).hasToString("[::1]:1187");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "nodeid=3", "host:0", "host:70000", "host:abc", ":1186"})
    void mistakesAreNamed(String text) {
        assertThatThrownBy(() -> ConnectString.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ndb.connectstring \"" + text + "\"");
    }
}
