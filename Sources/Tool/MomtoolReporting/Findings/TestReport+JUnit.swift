import Diagnostics
import Essentials
import XMLReading

func jUnitDocument(_ report: TestReport) -> String {
    let suites = report.groups.map { name, group -> String in
        let head =
            "  <testsuite name=\"\(markup(name.onOneLine))\" tests=\"\(group.cases.count)\""
            + " failures=\"\(group.failed)\" errors=\"0\" skipped=\"\(group.skipped + group.recorded)\""
            + " time=\"\(time(group.seconds))\">"
        return ([head] + group.cases.map(testCase) + ["  </testsuite>"]).joined(separator: "\n")
    }
    let head =
        "<testsuites name=\"momtool test\" tests=\"\(report.cases.count)\" failures=\"\(report.failed)\""
        + " time=\"\(time(report.seconds))\">"
    return (["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", head] + suites + ["</testsuites>"])
        .joined(separator: "\n")
}

private func testCase(_ item: TestReport.Case) -> String {
    let head =
        "    <testcase classname=\"\(markup(item.group.onOneLine))\" name=\"\(markup(item.name.onOneLine))\""
        + " time=\"\(time(item.seconds))\""
        + (item.path.map { " file=\"\(markup($0.onOneLine))\"" } ?? "")
        + (item.line.map { " line=\"\($0)\"" } ?? "")
    let message = markup((item.lines.first ?? item.status).onOneLine)
    let text = markup(harmlessLines(item.lines))
    let body =
        if item.isFailed {
            "<failure message=\"\(message)\">\(text)</failure>"
        } else if item.isSkipped || item.isRecorded { "<skipped message=\"\(message)\"/>" } else {
            item.lines.isEmpty ? "" : "<system-out>\(text)</system-out>"
        }
    return body.isEmpty ? head + "/>" : head + ">\(body)</testcase>"
}

/// Lines that a runner cannot read as commands if the report goes to its log.
private func harmlessLines(_ lines: [String]) -> String {
    lines.joined(separator: "\n").split(separator: "\n", omittingEmptySubsequences: false)
        .map { $0.hasPrefix("::") || $0.hasPrefix("##[") ? "\\\($0)" : String($0) }
        .joined(separator: "\n")
}

private func time(_ seconds: Double) -> String { seconds.fixed(3) }
