/** The only code that calls the user's NDB library; loaded by the class loader that also loads that library. */
package io.ycsbdrill.binding.ndb.jtie;
