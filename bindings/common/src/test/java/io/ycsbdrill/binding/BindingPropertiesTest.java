package io.ycsbdrill.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import site.ycsb.DBException;

class BindingPropertiesTest {

    private enum Mode {
        CLUSTER_J,
        FAST
    }

    private final Properties source = new Properties();
    private final BindingProperties properties = new BindingProperties(source);

    @Test
    void absentKeysHaveTheirDefaults() throws DBException {
        assertThat(properties.text("x.name", "n")).isEqualTo("n");
        assertThat(properties.integer("x.count", 3, 1, 9)).isEqualTo(3);
        assertThat(properties.flag("x.flag", true)).isTrue();
        assertThat(properties.duration("x.time", Duration.ofSeconds(2), Duration.ZERO, Duration.ofHours(1)))
                .isEqualTo(Duration.ofSeconds(2));
        assertThat(properties.choice("x.mode", Mode.FAST)).isEqualTo(Mode.FAST);
        assertThat(properties.list("x.hosts", List.of("a"))).containsExactly("a");

        properties.check("x.");
    }

    @Test
    void givenValuesAreRead() throws DBException {
        source.setProperty("x.name", " v ");
        source.setProperty("x.count", "9");
        source.setProperty("x.flag", "False");
        source.setProperty("x.time", "250ms");
        source.setProperty("x.mode", "cluster-j");
        source.setProperty("x.hosts", "a:1, b:2,");

        assertThat(properties.text("x.name", "n")).isEqualTo("v");
        assertThat(properties.integer("x.count", 3, 1, 9)).isEqualTo(9);
        assertThat(properties.flag("x.flag", true)).isFalse();
        assertThat(properties.duration("x.time", Duration.ofSeconds(2), Duration.ZERO, Duration.ofHours(1)))
                .isEqualTo(Duration.ofMillis(250));
        assertThat(properties.choice("x.mode", Mode.FAST)).isEqualTo(Mode.CLUSTER_J);
        assertThat(properties.list("x.hosts", List.of())).containsExactly("a:1", "b:2");

        properties.check("x.");
    }

    @Test
    void everyProblemIsReportedAtOnceWithKeyValueAndRange() {
        source.setProperty("x.count", "10");
        source.setProperty("x.flag", "yes");
        source.setProperty("x.time", "5");
        source.setProperty("x.mode", "slow");
        source.setProperty("x.nmae", "typo");
        source.setProperty("other", "not ours");
        properties.integer("x.count", 3, 1, 9);
        properties.flag("x.flag", true);
        properties.duration("x.time", Duration.ofSeconds(2), Duration.ofMillis(1), Duration.ofHours(1));
        properties.choice("x.mode", Mode.FAST);
        properties.text("x.name", "n");
        properties.requiredText("y.url", "the server's address");

        assertThatThrownBy(() -> properties.check("x."))
                .isInstanceOf(DBException.class)
                .hasMessageContaining("6 invalid properties")
                .hasMessageContaining("x.count=10: expected a whole number from 1 to 9")
                .hasMessageContaining("x.flag=yes: expected true or false")
                .hasMessageContaining("x.time=5: expected a time from 1ms to 1h with its unit")
                .hasMessageContaining("x.mode=slow: expected one of cluster-j, fast")
                .hasMessageContaining(
                        "x.nmae is not a property of this binding; it has x.count, x.flag, x.mode, x.name")
                .hasMessageContaining("y.url is missing; expected the server's address")
                .hasMessageNotContaining("other");
    }

    @Test
    void blankValueIsAProblemNotADefault() {
        source.setProperty("x.name", "  ");
        properties.text("x.name", "n");

        assertThatThrownBy(properties::check).hasMessageContaining("x.name=  : expected a value");
    }

    @Test
    void rowsMayExpire() throws DBException {
        assertThat(properties.timeToLive()).isEmpty();
        source.setProperty("record.ttl", "2m");

        assertThat(properties.timeToLive()).contains(Duration.ofMinutes(2));
        properties.refuseUnusedTimeToLive();
        properties.check("x.");
    }

    @Test
    void aTimeToLiveIsOfWholeSeconds() {
        source.setProperty("record.ttl", "1500ms");
        properties.timeToLive();

        assertThatThrownBy(properties::check).hasMessageContaining("record.ttl=1500ms: expected whole seconds");
    }

    @Test
    void aTimeToLiveThatNobodyAsksForIsRefused() {
        source.setProperty("record.ttl", "60s");
        properties.refuseUnusedTimeToLive();

        assertThatThrownBy(() -> properties.check("x."))
                .isInstanceOf(DBException.class)
                .hasMessageContaining("record.ttl=60s: expected no such property, as rows do not expire here");
    }

    @Test
    void valuesOfSecretsAreNotRepeated() {
        source.setProperty("x.password.length", "hunter2");
        properties.integer("x.password.length", 1, 1, 2);

        assertThatThrownBy(properties::check)
                .hasMessageContaining("x.password.length=***")
                .hasMessageNotContaining("hunter2");
    }

    @Test
    void propertyDefaultsCountAsGiven() throws DBException {
        source.setProperty("x.count", "4");
        BindingProperties layered = new BindingProperties(new Properties(source));

        assertThat(layered.integer("x.count", 3, 1, 9)).isEqualTo(4);
        layered.check("x.");
    }
}
