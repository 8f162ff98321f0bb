/** What local clusters share: nodes of one process each, started, stopped, paused and watched by this process. */
package io.ycsbdrill.fault.node.kit;
