package io.ycsbdrill.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;

class FieldCodecTest {

    private final byte[] everyByte = everyByte();

    @Test
    void everyByteSurvivesInEveryField() {
        byte[] row = FieldCodec.encode(Map.of(
                "field0", new ByteArrayByteIterator(everyByte),
                "größe", new ByteArrayByteIterator(new byte[0])));
        Map<String, ByteIterator> result = new HashMap<>();

        FieldCodec.decode(row, null, result);

        assertThat(result).containsOnlyKeys("field0", "größe");
        assertThat(result.get("field0").toArray()).isEqualTo(everyByte);
        assertThat(result.get("größe").toArray()).isEmpty();
    }

    @Test
    void onlyTheWantedFieldsAreReturnedAndUnknownOnesAreLeftOut() {
        byte[] row = FieldCodec.encodeBytes(Map.of("a", new byte[] {1}, "b", new byte[] {2}));
        Map<String, ByteIterator> result = new HashMap<>();

        FieldCodec.decode(row, Set.of("b", "none"), result);

        assertThat(result).containsOnlyKeys("b");
    }

    @Test
    void mergeReplacesAndAddsAndKeepsTheRest() {
        byte[] row = FieldCodec.encodeBytes(Map.of("a", new byte[] {1}, "b", new byte[] {2}));
        byte[] changes = FieldCodec.encodeBytes(Map.of("b", new byte[] {3, 3}, "c", new byte[] {4}));

        Map<String, byte[]> merged = FieldCodec.decodeBytes(FieldCodec.merge(row, changes));

        assertThat(merged).containsOnlyKeys("a", "b", "c");
        assertThat(merged.get("a")).containsExactly(1);
        assertThat(merged.get("b")).containsExactly(3, 3);
        assertThat(merged.get("c")).containsExactly(4);
    }

    @Test
    void everyTruncationIsNoticed() {
        Map<String, byte[]> fields = new LinkedHashMap<>();
        fields.put("a", new byte[] {1, 2});
        fields.put("bc", new byte[] {3});
        byte[] row = FieldCodec.encodeBytes(fields);

        for (int length = 0; length < row.length; length++) {
            byte[] damaged = Arrays.copyOf(row, length);
            assertThatThrownBy(() -> FieldCodec.decodeBytes(damaged)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> FieldCodec.decodeBytes(Arrays.copyOf(row, row.length + 1)))
                .hasMessageContaining("1 too many");
    }

    @Test
    void rowWithoutFieldsIsARow() {
        assertThat(FieldCodec.decodeBytes(FieldCodec.encode(Map.of()))).isEmpty();
    }

    private static byte[] everyByte() {
        byte[] bytes = new byte[256];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        return bytes;
    }
}
