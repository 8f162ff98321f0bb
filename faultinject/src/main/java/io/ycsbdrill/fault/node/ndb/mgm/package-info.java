/** The protocol of NDB's management server: commands and the event stream. */
package io.ycsbdrill.fault.node.ndb.mgm;
