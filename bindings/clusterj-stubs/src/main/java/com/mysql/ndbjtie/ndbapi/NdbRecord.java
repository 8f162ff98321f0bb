package com.mysql.ndbjtie.ndbapi;

import com.mysql.jtie.Wrapper;

public class NdbRecord extends Wrapper implements NdbRecordConst {}
