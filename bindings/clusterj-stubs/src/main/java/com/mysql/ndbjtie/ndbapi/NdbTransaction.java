package com.mysql.ndbjtie.ndbapi;

import com.mysql.jtie.Wrapper;
import java.nio.ByteBuffer;

public class NdbTransaction extends Wrapper {
    public final native NdbErrorConst getNdbError();

    public final native int execute(int execType, int abortOption, int forceSend);

    public final native NdbOperationConst readTuple(
            NdbRecordConst keyRecord,
            ByteBuffer keyRow,
            NdbRecordConst resultRecord,
            ByteBuffer resultRow,
            int lockMode,
            byte[] resultMask,
            NdbOperation.OperationOptionsConst options,
            int optionsSize);

    public final native NdbOperationConst insertTuple(
            NdbRecordConst record,
            ByteBuffer row,
            byte[] mask,
            NdbOperation.OperationOptionsConst options,
            int optionsSize);

    public final native NdbOperationConst updateTuple(
            NdbRecordConst keyRecord,
            ByteBuffer keyRow,
            NdbRecordConst record,
            ByteBuffer row,
            byte[] mask,
            NdbOperation.OperationOptionsConst options,
            int optionsSize);

    public final native NdbOperationConst deleteTuple(
            NdbRecordConst keyRecord,
            ByteBuffer keyRow,
            NdbRecordConst resultRecord,
            ByteBuffer resultRow,
            byte[] resultMask,
            NdbOperation.OperationOptionsConst options,
            int optionsSize);

    public final native NdbIndexScanOperation scanIndex(
            NdbRecordConst keyRecord,
            NdbRecordConst resultRecord,
            int lockMode,
            byte[] resultMask,
            NdbIndexScanOperation.IndexBoundConst bound,
            NdbScanOperation.ScanOptionsConst options,
            int optionsSize);

    public interface ExecType {
        int NoCommit = 1;
        int Commit = 2;
    }
}
