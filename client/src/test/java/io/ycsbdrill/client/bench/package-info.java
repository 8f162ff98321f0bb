/** The client loop against stock YCSB's; started by {@code bench/loop.sh}, not by the build. */
package io.ycsbdrill.client.bench;
