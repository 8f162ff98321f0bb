/**
 * The embedded default cluster: Apache Ignite data nodes with native persistence in child JVMs. {@code NodeMain} and what it
 * uses run in the nodes; {@code EmbeddedEngine} and {@code EmbeddedCluster} run in the process that controls them; the two
 * sides meet in the files of {@code NodeFiles}.
 */
package io.ycsbdrill.fault.node.embedded;
