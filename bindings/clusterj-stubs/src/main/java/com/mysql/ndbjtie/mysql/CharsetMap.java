package com.mysql.ndbjtie.mysql;

import com.mysql.jtie.Wrapper;

public class CharsetMap extends Wrapper {
    public static final native CharsetMap create();

    public static final native void delete(CharsetMap map);

    public final native String getName(int number);

    public final native String getMysqlName(int number);
}
