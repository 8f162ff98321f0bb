/** Which records exist and which are chosen: YCSB's key sequences, for several threads and clients. */
package io.ycsbdrill.client.run.key;
