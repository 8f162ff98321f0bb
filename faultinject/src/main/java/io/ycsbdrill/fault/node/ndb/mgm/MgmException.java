package io.ycsbdrill.fault.node.ndb.mgm;

import io.ycsbdrill.fault.node.NodeControlException;

/** A management server could not be reached, did not answer, or refused. */
public final class MgmException extends NodeControlException {
    private static final long serialVersionUID = 1L;

    MgmException(String message) {
        super(message);
    }

    MgmException(String message, Throwable cause) {
        super(message, cause);
    }

    static MgmException tlsRequired(ConnectString.Server server) {
        return new MgmException("management server " + server
                + " answered \"Authorization failed\": the cluster requires TLS on its management port (RequireTls), which this"
                + " client does not speak; allow cleartext management connections from this host");
    }
}
