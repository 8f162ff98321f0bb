/** The injector: due step to target to node controller to markers; and the healing before, after and in between. */
package io.ycsbdrill.fault.inject;
