package com.mysql.ndbjtie.ndbapi;

public interface NdbOperationConst {
    NdbErrorConst getNdbError();

    public interface AbortOption {
        int AbortOnError = 0;
        int AO_IgnoreError = 2;
    }

    public interface LockMode {
        int LM_CommittedRead = 2;
    }
}
