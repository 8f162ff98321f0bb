package io.ycsbdrill.binding.ndb.client;

import java.util.List;
import java.util.Optional;

/**
 * A table that is there.
 *
 * @param columns in the table's order
 * @param partitions how many partitions it has
 */
public record NdbTableShape(String name, List<ColumnShape> columns, int partitions) {
    public NdbTableShape {
        columns = List.copyOf(columns);
    }

    /** The key column, when the key is one column of a supported kind. */
    public Optional<ColumnShape> key() {
        List<ColumnShape> keys =
                columns.stream().filter(ColumnShape::primaryKey).toList();
        return keys.size() == 1 && keys.get(0).usable() ? Optional.of(keys.get(0)) : Optional.empty();
    }

    /** The columns that hold values and are of a supported kind. */
    public List<ColumnShape> fields() {
        return columns.stream()
                .filter(column -> !column.primaryKey() && column.usable())
                .toList();
    }

    /** Why the table cannot be used at all, or empty. */
    public Optional<String> problem() {
        if (key().isEmpty()) {
            return Optional.of("table " + name
                    + " needs a primary key of one VARCHAR or VARBINARY column; it has "
                    + columns.stream()
                            .filter(ColumnShape::primaryKey)
                            .map(c -> c.name() + (c.usable() ? "" : " of another type"))
                            .toList());
        }
        return Optional.empty();
    }
}
