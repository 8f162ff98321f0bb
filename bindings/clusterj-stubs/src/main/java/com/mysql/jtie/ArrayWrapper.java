package com.mysql.jtie;

public interface ArrayWrapper<T> {}
