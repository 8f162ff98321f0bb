package io.ycsbdrill.binding.ndb.jtie;

import com.mysql.ndbjtie.ndbapi.NdbDictionary;
import com.mysql.ndbjtie.ndbapi.NdbDictionary.ColumnConst;
import io.ycsbdrill.binding.ndb.client.NdbException;
import io.ycsbdrill.binding.ndb.client.NdbFailure;
import io.ycsbdrill.binding.ndb.client.TableDefinition;

/** Creates tables through NDB's dictionary, for clusters without an SQL node. */
record TableMaker(NdbDictionary.Dictionary dictionary) {
    /** No tables for index statistics, and the client is configured to keep some: only an SQL node makes them. */
    private static final int NO_STATISTICS_TABLES = 4714;

    void make(TableDefinition definition) throws NdbException {
        NdbDictionary.Table table = NdbDictionary.Table.create(definition.name());
        try {
            addColumn(table, definition.key(), definition.keyBytes(), true, false);
            for (String field : definition.fields()) {
                addColumn(table, field, definition.fieldBytes(), false, definition.tablespace() != null);
            }
            if (definition.tablespace() != null) {
                table.setTablespaceName(definition.tablespace());
            }
            if (dictionary.createTable(table) != 0) {
                throw Failures.exception("table " + definition.name() + " cannot be created", dictionary.getNdbError());
            }
        } finally {
            NdbDictionary.Table.delete(table);
        }
        addIndex(definition);
    }

    private static void addColumn(NdbDictionary.Table table, String name, int bytes, boolean key, boolean disk) {
        NdbDictionary.Column column = NdbDictionary.Column.create(name);
        try {
            column.setType(bytes > 255 ? ColumnConst.Type.Longvarbinary : ColumnConst.Type.Varbinary);
            column.setLength(bytes);
            column.setPrimaryKey(key);
            column.setNullable(!key);
            column.setStorageType(
                    disk ? ColumnConst.StorageType.StorageTypeDisk : ColumnConst.StorageType.StorageTypeMemory);
            table.addColumn(column);
        } finally {
            NdbDictionary.Column.delete(column);
        }
    }

    private void addIndex(TableDefinition definition) throws NdbException {
        NdbDictionary.Index index = NdbDictionary.Index.create("PRIMARY");
        try {
            index.setTable(definition.name());
            index.setType(NdbDictionary.IndexConst.Type.OrderedIndex);
            index.setLogging(false);
            index.addColumnName(definition.key());
            if (dictionary.createIndex(index, false) != 0) {
                NdbFailure failure = Failures.of(dictionary.getNdbError(), false);
                dictionary.dropTable(definition.name());
                throw new NdbException(
                        "table " + definition.name() + " needs an ordered index, which cannot be created"
                                + (failure.code() == NO_STATISTICS_TABLES
                                        ? " without an SQL node unless the cluster's configuration has"
                                                + " IndexStatAutoCreate=0 in [ndbd default]"
                                        : ""),
                        failure);
            }
        } finally {
            NdbDictionary.Index.delete(index);
        }
    }
}
