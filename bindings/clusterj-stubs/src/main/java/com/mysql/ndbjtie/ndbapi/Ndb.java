package com.mysql.ndbjtie.ndbapi;

import com.mysql.jtie.ArrayWrapper;
import com.mysql.jtie.Wrapper;
import java.nio.ByteBuffer;

public class Ndb extends Wrapper {
    public static final native Ndb create(Ndb_cluster_connection connection, String database, String schema);

    public static final native void delete(Ndb ndb);

    public static final native int computeHash(
            int[] hash,
            NdbDictionary.TableConst table,
            Key_part_ptrConstArray key,
            ByteBuffer scratch,
            int scratchLength);

    public final native int init(int transactions);

    public final native NdbDictionary.Dictionary getDictionary();

    public final native NdbErrorConst getNdbError();

    public final native NdbTransaction startTransaction(
            NdbDictionary.TableConst table, Key_part_ptrConstArray key, ByteBuffer scratch, int scratchLength);

    public final native NdbTransaction startTransaction(NdbDictionary.TableConst table, ByteBuffer key, int keyLength);

    public final native void closeTransaction(NdbTransaction transaction);

    public interface Key_part_ptrConst {}

    public interface Key_part_ptrConstArray extends ArrayWrapper<Key_part_ptrConst> {}

    public static class Key_part_ptr extends Wrapper implements Key_part_ptrConst {
        public final native void ptr(ByteBuffer data);

        public final native void len(int length);
    }

    public static class Key_part_ptrArray extends Wrapper implements Key_part_ptrConstArray {
        public static native Key_part_ptrArray create(int length);

        public static native void delete(Key_part_ptrArray array);

        public native Key_part_ptr at(int index);
    }
}
