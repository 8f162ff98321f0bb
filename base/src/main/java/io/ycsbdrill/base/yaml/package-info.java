/** Strict reading of the YAML files that users write: every problem with its line, near-miss names. Needs SnakeYAML, which is optional for {@code base}. */
package io.ycsbdrill.base.yaml;
