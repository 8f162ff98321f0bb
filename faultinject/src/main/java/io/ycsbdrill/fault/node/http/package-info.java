/** Clusters that somebody else runs and that report their state over HTTP: how they are asked. */
package io.ycsbdrill.fault.node.http;
