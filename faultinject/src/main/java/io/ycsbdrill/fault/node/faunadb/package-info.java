/** Local clusters of FaunaDB: nodes on loopback, in one replica or each in a replica of its own. */
package io.ycsbdrill.fault.node.faunadb;
