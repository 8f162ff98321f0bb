/** Drill after drill on one cluster, as they are drawn, until one shows what must not be; that one is made smaller. */
package io.ycsbdrill.client.explore;
