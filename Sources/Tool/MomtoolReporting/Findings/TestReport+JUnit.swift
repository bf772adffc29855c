import Diagnostics
import Essentials
import MigrationTesting
import XMLReading

func jUnitDocument(_ report: TestReport) -> String {
    let suites = report.groups.map { name, group -> String in
        let head =
            "  <testsuite name=\"\(markup(name.onOneLine))\" tests=\"\(group.cases.count)\""
            + " failures=\"\(group.count(.failed))\" errors=\"0\""
            + " skipped=\"\(group.count(.skipped) + group.count(.recorded))\""
            + " time=\"\(time(group.seconds))\">"
        return ([head] + group.cases.map(testCase) + ["  </testsuite>"]).joined(separator: "\n")
    }
    let head =
        "<testsuites name=\"momtool test\" tests=\"\(report.cases.count)\" failures=\"\(report.count(.failed))\""
        + " time=\"\(time(report.seconds))\">"
    return (["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", head] + suites + ["</testsuites>"])
        .joined(separator: "\n")
}

private func testCase(_ item: CaseOutcome) -> String {
    let head =
        "    <testcase classname=\"\(markup(item.group.onOneLine))\" name=\"\(markup(item.name.onOneLine))\""
        + " time=\"\(time(item.seconds))\""
        + (item.place.map { " file=\"\(markup($0.path.onOneLine))\"" } ?? "")
        + (item.place?.line.map { " line=\"\($0)\"" } ?? "")
    let message = markup((item.lines.first ?? item.status.rawValue).onOneLine)
    let text = markup(harmlessLines(item.lines))
    let body =
        switch item.status {
        case .failed: "<failure message=\"\(message)\">\(text)</failure>"
        case .skipped, .recorded: "<skipped message=\"\(message)\"/>"
        case .passed: item.lines.isEmpty ? "" : "<system-out>\(text)</system-out>"
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
