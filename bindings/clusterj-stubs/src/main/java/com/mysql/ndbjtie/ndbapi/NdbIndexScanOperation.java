package com.mysql.ndbjtie.ndbapi;

import com.mysql.jtie.Wrapper;
import java.nio.ByteBuffer;

public class NdbIndexScanOperation extends NdbScanOperation {
    public interface IndexBoundConst {}

    public static class IndexBound extends Wrapper implements IndexBoundConst {
        public static final native IndexBound create();

        public static final native void delete(IndexBound bound);

        public final native void low_key(ByteBuffer key);

        public final native void low_key_count(int columns);

        public final native void low_inclusive(boolean inclusive);

        public final native void high_key(ByteBuffer key);

        public final native void high_key_count(int columns);

        public final native void high_inclusive(boolean inclusive);

        public final native void range_no(int number);
    }
}
