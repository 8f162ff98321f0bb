/** Time: monotonic inside, wall clock only for display and for matching engine logs. */
package io.ycsbdrill.fault.time;
