package io.ycsbdrill.binding.jdbc;

import io.ycsbdrill.binding.BadRequestException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A column: bytes as they are, or text in UTF-8. Immutable.
 *
 * @param name as the table has it
 * @param field as results name it
 * @param binary whether it holds bytes, not text
 * @param capacity bytes or characters; 0 when the driver does not say
 */
record Column(String name, String field, boolean binary, int capacity) {

    Column named(String fieldName) {
        return new Column(name, fieldName, binary, capacity);
    }

    void bind(PreparedStatement statement, int index, byte[] value) throws SQLException, BadRequestException {
        if (binary) {
            statement.setBytes(index, value);
        } else {
            statement.setString(index, text(value));
        }
    }

    void bindText(PreparedStatement statement, int index, String value) throws SQLException {
        if (binary) {
            statement.setBytes(index, value.getBytes(StandardCharsets.UTF_8));
        } else {
            statement.setString(index, value);
        }
    }

    /** The value; null when it is NULL in the table. */
    byte[] value(ResultSet row, int index) throws SQLException {
        if (binary) {
            return row.getBytes(index);
        }
        String text = row.getString(index);
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }

    private String text(byte[] value) throws BadRequestException {
        for (byte b : value) {
            if (b < 0) {
                return decoded(value);
            }
        }
        return new String(value, StandardCharsets.ISO_8859_1);
    }

    private String decoded(byte[] value) throws BadRequestException {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(value))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new BadRequestException(
                    "column " + name + " holds text, but the value is not UTF-8; use a binary column");
        }
    }
}
