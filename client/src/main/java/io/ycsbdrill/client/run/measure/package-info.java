/** Recording without locks: one writer per client thread, one reader, exact half-open intervals by completion time. */
package io.ycsbdrill.client.run.measure;
