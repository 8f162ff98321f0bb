package io.ycsbdrill.report.metric;

/** How the figures of a drill read what may be chance. A verdict is signed only where both readings agree. */
enum Reading {
    /** It counts against the service: whoever passes so has passed. The figures that are shown are these. */
    STRICT,
    /** It is chance: whoever fails so has failed. */
    LENIENT
}
