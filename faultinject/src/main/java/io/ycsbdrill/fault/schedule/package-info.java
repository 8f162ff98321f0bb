/** Schedules: which fault, where and when, and the parser of drill files. Pure; nothing here touches a cluster. */
package io.ycsbdrill.fault.schedule;
