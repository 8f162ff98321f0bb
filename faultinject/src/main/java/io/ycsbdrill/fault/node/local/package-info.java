/** What local clusters share: nodes of one process each, started, ended, paused and watched by us. */
package io.ycsbdrill.fault.node.local;
