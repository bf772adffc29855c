/// The only place of the tool's version, for the command, reports, and `.ci/release`.
package let toolVersion = "0.1.0"
