package io.ycsbdrill.binding.jdbc;

import io.ycsbdrill.binding.BadRequestException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A table's columns as the driver reports them. Immutable.
 *
 * @param quote what names are put in; empty when the database has nothing for it
 * @param key the column named {@code YCSB_KEY} in any case
 * @param fields all others; not one that a drill adds and drops while statements are prepared
 */
record TableShape(String table, String quote, Dialect dialect, Column key, List<Column> fields) {
    static final String KEY = "YCSB_KEY";

    TableShape {
        fields = List.copyOf(fields);
    }

    /**
     * Asks the server.
     *
     * @param fieldNames the workload's: columns match them without regard to case, and results use them
     * @throws BadRequestException when the table has no key column
     */
    static TableShape of(Connection connection, String table, List<String> fieldNames)
            throws SQLException, BadRequestException {
        String quote = connection.getMetaData().getIdentifierQuoteString();
        quote = quote == null ? "" : quote.strip();
        Map<String, String> names = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        fieldNames.forEach(name -> names.put(name, name));
        Column key = null;
        List<Column> fields = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet nothing = statement.executeQuery("SELECT * FROM " + quoted(quote, table) + " WHERE 1 = 0")) {
            ResultSetMetaData columns = nothing.getMetaData();
            for (int i = 1; i <= columns.getColumnCount(); i++) {
                String name = columns.getColumnName(i);
                Column column = new Column(
                        name,
                        names.getOrDefault(name, name),
                        binary(columns.getColumnType(i)),
                        Math.max(0, columns.getPrecision(i)));
                if (name.equalsIgnoreCase(KEY)) {
                    key = column;
                } else if (!JdbcTable.isOurs(name)) {
                    fields.add(column);
                }
            }
        }
        if (key == null) {
            throw new BadRequestException("table " + table + " has no column " + KEY);
        }
        return new TableShape(table, quote, Dialect.of(connection), key, fields);
    }

    String quoted(String name) {
        return quoted(quote, name);
    }

    /** Quotes a name; a quote within it is doubled. */
    static String quoted(String quote, String name) {
        return quote.isEmpty() ? name : quote + name.replace(quote, quote + quote) + quote;
    }

    private static boolean binary(int type) {
        return type == Types.BINARY || type == Types.VARBINARY || type == Types.LONGVARBINARY || type == Types.BLOB;
    }
}
