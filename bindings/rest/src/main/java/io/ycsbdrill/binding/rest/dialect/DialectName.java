package io.ycsbdrill.binding.rest.dialect;

import io.ycsbdrill.binding.BindingProperties;
import java.util.function.Function;

/** The dialects, by the names under which {@code rest.dialect} knows them. */
public enum DialectName {
    /** The HTTP endpoint of the embedded cluster's nodes. */
    IGNITE(IgniteDialect::of),
    /** The REST server of RonDB. */
    RONDB(RonDbDialect::of),
    /** SQL over HTTP. */
    CRATEDB(CrateDbDialect::of),
    /** Tables as resources. */
    HARPERDB(HarperDbDialect::of),
    /** The operations API of the same server, for loads in batches. */
    HARPERDB_OPERATIONS(HarperDbOperationsDialect::of),
    /** FQL, version 10. */
    FAUNADB(FaunaDbDialect::of),
    /** Requests from a file that the user supplies. */
    GENERIC(GenericDialect::of);

    private final Function<BindingProperties, Dialect> maker;

    DialectName(Function<BindingProperties, Dialect> maker) {
        this.maker = maker;
    }

    /** Makes the dialect from its own properties, {@code rest.<name>.*}. */
    public Dialect dialect(BindingProperties properties) {
        return maker.apply(properties);
    }
}
