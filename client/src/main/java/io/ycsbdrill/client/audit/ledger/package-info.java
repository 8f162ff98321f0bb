/** Which write was sent when, and what became of it, in little memory. */
package io.ycsbdrill.client.audit.ledger;
