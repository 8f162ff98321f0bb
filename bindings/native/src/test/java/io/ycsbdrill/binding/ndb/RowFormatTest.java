package io.ycsbdrill.binding.ndb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.binding.BadRequestException;
import io.ycsbdrill.binding.ndb.client.ColumnSet;
import io.ycsbdrill.binding.ndb.client.ColumnShape.Kind;
import io.ycsbdrill.binding.ndb.client.NdbTableShape;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;

class RowFormatTest {
    private final RowFormat format = new RowFormat(FakeCluster.shape(), "field0", "field1");

    @Test
    void namesAreMatchedInAnyCaseAndReportedAsTheWorkloadWritesThem() throws BadRequestException {
        ColumnSet columns = format.columns(Set.of("FIELD1", "field0"));
        byte[][] values = {null, {1}, {2, 3}};
        Map<String, ByteIterator> result = new HashMap<>();

        format.fill(result, columns, values);

        assertThat(result).containsOnlyKeys("field0", "field1");
        assertThat(result.get("field1").toArray()).containsExactly(2, 3);
        assertThat(columns.mask()).containsExactly(0b110);
    }

    @Test
    void allFieldsAreAllColumnsButTheKey() throws BadRequestException {
        assertThat(format.columns(null).numbers()).containsExactly(1, 2);
    }

    @Test
    void nullInTheTableIsLeftOut() throws BadRequestException {
        Map<String, ByteIterator> result = new HashMap<>();

        format.fill(result, format.columns(null), new byte[][] {null, null, {}});

        assertThat(result).containsOnlyKeys("field1");
        assertThat(result.get("field1").bytesLeft()).isZero();
    }

    @Test
    void whatDoesNotFitIsABadRequest() {
        assertThatThrownBy(() -> format.columns(Set.of("field7"))).hasMessageContaining("no field field7 in table t");
        assertThatThrownBy(() -> format.key("k".repeat(21))).hasMessageContaining("key of 21 bytes");
        assertThatThrownBy(() -> format.values(Map.of("field0", new ByteArrayByteIterator(new byte[101]))))
                .hasMessageContaining("value of 101 bytes; column FIELD0 of table t takes 100");
    }

    @Test
    void keysAreWrittenInTheColumnsCharacterSet() throws BadRequestException {
        RowFormat latin1 = new RowFormat(new NdbTableShape(
                "t", List.of(FakeCluster.column("id", 0, Kind.SHORT_VARIABLE, 9, "latin1", true)), 1));

        assertThat(latin1.key("ö")).containsExactly(0xF6);
        assertThat(format.key("ö")).containsExactly(0xC3, 0xB6);
        assertThatThrownBy(() -> latin1.key("日")).hasMessageContaining("cannot be written in character set latin1");
    }
}
