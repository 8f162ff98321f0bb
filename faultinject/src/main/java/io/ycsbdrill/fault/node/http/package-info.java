/** Clusters that somebody else runs and that tell of themselves over HTTP: how they are asked, and watched. */
package io.ycsbdrill.fault.node.http;
