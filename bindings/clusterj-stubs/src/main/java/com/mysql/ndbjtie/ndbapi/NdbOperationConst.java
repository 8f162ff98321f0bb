package com.mysql.ndbjtie.ndbapi;

public interface NdbOperationConst {
    NdbErrorConst getNdbError();

    public interface AbortOption {
        int DefaultAbortOption = -1;
        int AbortOnError = 0;
        int AO_IgnoreError = 2;
    }

    public interface LockMode {
        int LM_Exclusive = 1;
        int LM_CommittedRead = 2;
        int LM_SimpleRead = 3;
    }
}
