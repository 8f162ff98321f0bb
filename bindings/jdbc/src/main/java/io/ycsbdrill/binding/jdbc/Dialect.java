package io.ycsbdrill.binding.jdbc;

import io.ycsbdrill.base.Formatted;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;

/** The differences between databases that no driver reports. */
enum Dialect {
    /** MySQL, MariaDB, and every server that is not known to be another one. */
    STANDARD("VARBINARY(255)", "VARBINARY(%d)", true),
    /** Bytes have one type, without a length. */
    POSTGRESQL("BYTEA", "BYTEA", true),
    /** Speaks PostgreSQL's protocol; no bytes, no transactions, and a statement of several rows may insert some of them. */
    CRATEDB("TEXT", "TEXT", false);

    private final String keyType;
    private final String fieldType;
    private final boolean transactions;

    Dialect(String keyType, String fieldType, boolean transactions) {
        this.keyType = keyType;
        this.fieldType = fieldType;
        this.transactions = transactions;
    }

    /** Asks the server which one it is, as both that speak PostgreSQL's protocol claim to be PostgreSQL. */
    static Dialect of(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        if (product.toLowerCase(Locale.ROOT).startsWith("crate")) {
            return CRATEDB;
        }
        if (!product.equals("PostgreSQL")) {
            return STANDARD;
        }
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT version()")) {
            return row.next() && row.getString(1).startsWith("CrateDB") ? CRATEDB : POSTGRESQL;
        }
    }

    /** The key's type in a table that the binding creates. */
    String keyType() {
        return keyType;
    }

    /** The type of fields of this many bytes in a table that the binding creates. */
    String fieldType(int length) {
        return Formatted.of(fieldType, length);
    }

    /** Whether statements are atomic and several can be rolled back together. */
    boolean transactions() {
        return transactions;
    }
}
