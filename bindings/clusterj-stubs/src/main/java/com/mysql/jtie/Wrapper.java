package com.mysql.jtie;

public class Wrapper {
    protected Wrapper() {}
}
