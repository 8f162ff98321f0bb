package io.ycsbdrill.binding.ndb.jtie;

import com.mysql.ndbjtie.mysql.CharsetMap;
import com.mysql.ndbjtie.ndbapi.NdbDictionary;
import com.mysql.ndbjtie.ndbapi.NdbDictionary.ColumnConst;
import com.mysql.ndbjtie.ndbapi.NdbRecord;
import io.ycsbdrill.binding.ndb.client.ColumnShape;
import io.ycsbdrill.binding.ndb.client.ColumnShape.Kind;
import io.ycsbdrill.binding.ndb.client.NdbException;
import io.ycsbdrill.binding.ndb.client.NdbTableShape;
import java.util.ArrayList;
import java.util.List;

/**
 * A table as NDB's dictionary gave it, with the records that say where a value lies in a row buffer: one of the key alone,
 * one of the entire row (bits for NULL first, then the columns in order), and one of the key in its ordered index. Immutable.
 *
 * @param keyRecord null when the table cannot be used
 * @param rowRecord null when the table cannot be used
 * @param indexRecord null when there is no ordered index
 * @param offsets of each column in the row buffer; -1 for a column of an unsupported kind
 */
record JtieTable(
        String name,
        NdbDictionary.TableConst table,
        NdbTableShape shape,
        NdbRecord keyRecord,
        NdbRecord rowRecord,
        NdbRecord indexRecord,
        int[] offsets,
        int rowBytes) {
    private static final int NO_SUCH_INDEX = 4243;

    static JtieTable of(NdbDictionary.Dictionary dictionary, NdbDictionary.TableConst table, String name)
            throws NdbException {
        NdbDictionary.IndexConst index = dictionary.getIndex("PRIMARY", name);
        if (index == null && dictionary.getNdbError().code() != NO_SUCH_INDEX) {
            throw Failures.exception("the index of table " + name + " cannot be looked up", dictionary.getNdbError());
        }
        boolean ordered = index != null && index.getType() == NdbDictionary.IndexConst.Type.OrderedIndex;
        NdbTableShape shape = shape(table, name);
        List<ColumnShape> columns = shape.columns();

        int[] offsets = new int[columns.size()];
        List<Integer> mapped = new ArrayList<>();
        int end = (columns.size() + 7) / 8;
        for (ColumnShape column : columns) {
            boolean usable = column.kind() != Kind.OTHER;
            offsets[column.number()] = usable ? end : -1;
            if (usable) {
                mapped.add(column.number());
                end += column.kind().lengthBytes() + column.capacity();
            }
        }
        if (shape.problem().isPresent()) {
            return new JtieTable(name, table, shape, null, null, null, offsets, end);
        }
        int key = shape.key().orElseThrow().number();
        return new JtieTable(
                name,
                table,
                shape,
                record(dictionary, table, null, List.of(key), new int[columns.size()]),
                record(dictionary, table, null, mapped, offsets),
                ordered ? record(dictionary, table, index, List.of(key), new int[columns.size()]) : null,
                offsets,
                end);
    }

    private static NdbRecord record(
            NdbDictionary.Dictionary dictionary,
            NdbDictionary.TableConst table,
            NdbDictionary.IndexConst index,
            List<Integer> columns,
            int[] offsets)
            throws NdbException {
        NdbDictionary.RecordSpecificationArray specification =
                NdbDictionary.RecordSpecificationArray.create(columns.size());
        try {
            for (int i = 0; i < columns.size(); i++) {
                int number = columns.get(i);
                NdbDictionary.RecordSpecification column = specification.at(i);
                column.column(table.getColumn(number));
                column.offset(offsets[number]);
                column.nullbit_byte_offset(number >> 3);
                column.nullbit_bit_in_byte(number & 7);
            }
            int size = NdbDictionary.RecordSpecification.size();
            NdbRecord record = index == null
                    ? dictionary.createRecord(table, specification, columns.size(), size, 0)
                    : dictionary.createRecord(index, table, specification, columns.size(), size, 0);
            if (record == null) {
                throw Failures.exception("table " + table.getName() + " cannot be used", dictionary.getNdbError());
            }
            return record;
        } finally {
            NdbDictionary.RecordSpecificationArray.delete(specification);
        }
    }

    private static NdbTableShape shape(NdbDictionary.TableConst table, String name) {
        CharsetMap charsets = CharsetMap.create();
        try {
            List<ColumnShape> columns = new ArrayList<>();
            for (int i = 0; i < table.getNoOfColumns(); i++) {
                columns.add(shape(table.getColumn(i), i, charsets));
            }
            return new NdbTableShape(name, columns, table.getFragmentCount());
        } finally {
            CharsetMap.delete(charsets);
        }
    }

    private static ColumnShape shape(ColumnConst column, int number, CharsetMap charsets) {
        // Asking a column without a character set for it reads through a null pointer in NDB's own code (9.7).
        boolean text = column.getType() == ColumnConst.Type.Varchar || column.getType() == ColumnConst.Type.Longvarchar;
        int charset = text ? column.getCharsetNumber() : 0;
        return new ColumnShape(
                column.getName(),
                number,
                kind(column.getType()),
                column.getLength(),
                charset == 0 ? "binary" : charsets.getMysqlName(charset),
                charset == 0 ? null : charsets.getName(charset),
                column.getPrimaryKey(),
                column.getStorageType() == ColumnConst.StorageType.StorageTypeDisk);
    }

    private static Kind kind(int type) {
        return switch (type) {
            case ColumnConst.Type.Varchar, ColumnConst.Type.Varbinary -> Kind.SHORT_VARIABLE;
            case ColumnConst.Type.Longvarchar, ColumnConst.Type.Longvarbinary -> Kind.LONG_VARIABLE;
            default -> Kind.OTHER;
        };
    }
}
