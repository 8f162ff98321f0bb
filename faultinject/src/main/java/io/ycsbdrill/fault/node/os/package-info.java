/** Processes, ports, logs and directories of this machine, the same for every engine. */
package io.ycsbdrill.fault.node.os;
