package io.ycsbdrill.binding.rest;

import io.ycsbdrill.binding.BindingProperties;

/** The dialects, by the names under which {@code rest.dialect} knows them. */
enum DialectName {
    /** The HTTP endpoint of the embedded cluster's nodes. */
    IGNITE(IgniteDialect::of),
    /** Requests from a file of the user's. */
    GENERIC(GenericDialect::of);

    private final Maker maker;

    /** Makes a dialect from its own properties, {@code rest.<name>.*}. */
    private interface Maker {
        Dialect make(BindingProperties properties);
    }

    DialectName(Maker maker) {
        this.maker = maker;
    }

    Dialect dialect(BindingProperties properties) {
        return maker.make(properties);
    }
}
