/** Options that several commands share, and their groups in the help. */
package io.ycsbdrill.client.cli.option;
