package com.mysql.ndbjtie.ndbapi;

import com.mysql.jtie.Wrapper;

public class NdbOperation extends Wrapper implements NdbOperationConst {
    public final native NdbErrorConst getNdbError();

    public interface OperationOptionsConst {}
}
