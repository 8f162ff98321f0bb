/** Calls of a binding: deadlines, retries, loading and reopening around it. */
package io.ycsbdrill.client.run.call;
