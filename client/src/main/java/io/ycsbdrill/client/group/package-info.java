/** Several clients of one run on this machine: each in a process of its own, started together, ended together, merged. */
package io.ycsbdrill.client.group;
