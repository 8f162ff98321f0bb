package com.mysql.ndbjtie.ndbapi;

import com.mysql.jtie.ArrayWrapper;
import com.mysql.jtie.Wrapper;

/** Classes take the methods of their interfaces from them: only what an interface does not declare is repeated. */
public class NdbDictionary extends Wrapper {
    public interface ObjectConst {}

    public abstract static class Object extends Wrapper implements ObjectConst {}

    public interface ColumnConst {
        String getName();

        boolean getPrimaryKey();

        int getType();

        int getLength();

        int getCharsetNumber();

        int getStorageType();

        public interface Type {
            int Varchar = 15;
            int Varbinary = 17;
            int Longvarchar = 23;
            int Longvarbinary = 24;
        }

        public interface StorageType {
            int StorageTypeMemory = 0;
            int StorageTypeDisk = 1;
        }
    }

    public abstract static class Column extends Wrapper implements ColumnConst {
        public static final native Column create(String name);

        public static final native void delete(Column column);

        public final native void setType(int type);

        public final native void setLength(int length);

        public final native void setNullable(boolean nullable);

        public final native void setPrimaryKey(boolean primaryKey);

        public final native void setStorageType(int storageType);
    }

    public interface TableConst extends ObjectConst {
        String getName();

        int getNoOfColumns();

        ColumnConst getColumn(int number);

        int getFragmentCount();

        int getPartitionId(int hash);
    }

    public abstract static class Table extends Object implements TableConst {
        public static native Table create(String name);

        public static native void delete(Table table);

        public final native int addColumn(ColumnConst column);

        public final native int setTablespaceName(String name);
    }

    public interface IndexConst extends ObjectConst {
        int getType();

        public interface Type {
            int OrderedIndex = 6;
        }
    }

    public abstract static class Index extends Object implements IndexConst {
        public static native Index create(String name);

        public static native void delete(Index index);

        public final native int setTable(String name);

        public final native int addColumnName(String name);

        public final native void setType(int type);

        public final native void setLogging(boolean logging);
    }

    public interface RecordSpecificationConst {}

    public interface RecordSpecificationConstArray extends ArrayWrapper<RecordSpecificationConst> {}

    public static class RecordSpecification extends Wrapper implements RecordSpecificationConst {
        public static final native int size();

        public final native void column(ColumnConst column);

        public final native void offset(int bytes);

        public final native void nullbit_byte_offset(int bytes);

        public final native void nullbit_bit_in_byte(int bit);
    }

    public static class RecordSpecificationArray extends Wrapper implements RecordSpecificationConstArray {
        public static native RecordSpecificationArray create(int length);

        public static native void delete(RecordSpecificationArray array);

        public native RecordSpecification at(int index);
    }

    public static class Dictionary extends Wrapper {
        public final native NdbErrorConst getNdbError();

        public final native TableConst getTable(String name);

        public final native IndexConst getIndex(String name, String table);

        public final native int createTable(TableConst table);

        public final native int createIndex(IndexConst index, boolean offline);

        public final native int dropTable(String name);

        public final native void invalidateTable(String name);

        public final native void invalidateIndex(String name, String table);

        public final native NdbRecord createRecord(
                TableConst table, RecordSpecificationConstArray columns, int length, int elementSize, int flags);

        public final native NdbRecord createRecord(
                IndexConst index,
                TableConst table,
                RecordSpecificationConstArray columns,
                int length,
                int elementSize,
                int flags);
    }
}
