package com.mysql.ndbjtie.ndbapi;

public interface NdbRecordConst {}
