/** What became of every write: journal, read-back and judgement. The judgement is pure; only {@code ReadBack}, {@code Replicas} and {@code AuditDb} call a database. */
package io.ycsbdrill.client.audit;
