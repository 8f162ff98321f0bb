package io.ycsbdrill.binding.ndb.jtie;

import com.mysql.ndbjtie.ndbapi.NdbErrorConst;
import io.ycsbdrill.binding.ndb.client.NdbException;
import io.ycsbdrill.binding.ndb.client.NdbFailure;

/** Copies errors out of native memory, which is reused by the next call. */
final class Failures {
    private static final int INTERNAL_ERROR = 12;

    /** Never null: an error without a code, which should not exist, must not pass for success. */
    static NdbFailure of(NdbErrorConst error, boolean sent) {
        if (error == null || error.code() == 0) {
            return new NdbFailure(
                    0, NdbFailure.UNKNOWN_RESULT, INTERNAL_ERROR, "the call failed but NDB gave no error", sent);
        }
        return new NdbFailure(error.code(), error.status(), error.classification(), error.message(), sent);
    }

    static NdbException exception(String what, NdbErrorConst error) {
        return new NdbException(what, of(error, false));
    }
}
