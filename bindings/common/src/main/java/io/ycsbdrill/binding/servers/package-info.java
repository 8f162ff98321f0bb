/** Several servers of one database: which are up, who is connected where, and the way back. Shared by bindings that connect by themselves. */
package io.ycsbdrill.binding.servers;
