/**
 * The jdbc binding: rows in an SQL table, reached through any JDBC driver. {@link io.ycsbdrill.binding.jdbc.JdbcBinding} is
 * where to begin.
 */
package io.ycsbdrill.binding.jdbc;
