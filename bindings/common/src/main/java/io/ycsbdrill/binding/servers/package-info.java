/** Several servers of one database: which are up, which thread is connected where, and reconnecting. Shared by bindings that connect by themselves. */
package io.ycsbdrill.binding.servers;
