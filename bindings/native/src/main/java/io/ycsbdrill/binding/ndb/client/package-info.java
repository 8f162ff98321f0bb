/** What the binding needs of an NDB client library, as interfaces: implemented on the user's library, and by a fake in tests. */
package io.ycsbdrill.binding.ndb.client;
