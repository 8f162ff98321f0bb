package com.mysql.ndbjtie.ndbapi;

import com.mysql.jtie.Wrapper;
import java.nio.ByteBuffer;

public class NdbScanOperation extends NdbOperation {
    public final native int nextResultCopyOut(ByteBuffer row, boolean fetchAllowed, boolean forceSend);

    public final native void close(boolean forceSend, boolean releaseOperation);

    public interface ScanFlag {
        int SF_OrderBy = 16777216;
    }

    public interface ScanOptionsConst {
        public interface Type {
            int SO_SCANFLAGS = 1;
            int SO_PARALLEL = 2;
            int SO_BATCH = 4;
        }
    }

    public static class ScanOptions extends Wrapper implements ScanOptionsConst {
        public static final native ScanOptions create();

        public static final native void delete(ScanOptions options);

        public static final native int size();

        public final native void optionsPresent(long options);

        public final native void scan_flags(int flags);

        public final native void batch(int rows);
    }
}
