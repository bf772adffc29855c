/// The version of the tool: the one place that says it, for the command, for reports, and for `.ci/release`.
package let toolVersion = "0.1.0"
