/**
 * The native binding on the embedded cluster: Ignite's thin client, one per node, with routing of our own.
 * {@link io.ycsbdrill.binding.embedded.EmbeddedBinding} is the DB; {@code MergeFields}, {@code PrimariesTask} and {@code ScanTask} run in the
 * nodes, which therefore need this module on their class path.
 */
package io.ycsbdrill.binding.embedded;
