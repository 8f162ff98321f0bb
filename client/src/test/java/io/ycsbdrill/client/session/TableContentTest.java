package io.ycsbdrill.client.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.cluster.BindingNames;
import io.ycsbdrill.client.run.RunSpec;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class TableContentTest {

    private static Optional<TableContent> content(Properties properties) {
        RunSpec spec = RunSpec.builder()
                .binding(BindingNames.all().get(0), "no.such.Binding")
                .properties(properties)
                .build();
        return TableContent.of(spec, new FirstConnection(spec));
    }

    @Test
    void nothingIsReadWhereNothingSaysHowManyRecordsThereAre() {
        Properties properties = new Properties();
        properties.setProperty("insertcount", "10");

        assertThat(content(properties)).isEmpty();

        properties.setProperty("recordcount", "100");
        assertThatThrownBy(() -> content(properties))
                .as("it connects")
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("no.such.Binding");
    }
}
