/** Harper's open-source version on this machine: one server, which does not replicate. */
package io.ycsbdrill.fault.node.harper;
