package import Diagnostics
package import Essentials
import XMLReading

/// Writes a report in JUnit's XML: a suite for each group.
func jUnitDocument(_ report: TestReport) -> String {
    // A shard may have no tests, and is told of all the same.
    let groups =
        report.cases.isEmpty && report.shards != nil
        ? [(name: "no cases", report: report)] : report.groups
    let suites = groups.enumerated().map { place, group -> String in
        let (name, group) = group
        let head =
            "  <testsuite name=\"\(markup(name.onOneLine))\" tests=\"\(group.cases.count)\""
            + " failures=\"\(group.failed)\" errors=\"0\" skipped=\"\(group.skipped + group.recorded)\""
            + " time=\"\(time(group.seconds))\">"
        let shards = place == 0 ? shardProperties(report.shards ?? []) : []
        return ([head] + shards + group.cases.map(testCase) + ["  </testsuite>"])
            .joined(separator: "\n")
    }
    let name = report.isOfFindings ? "" : " name=\"\(testsName)\""
    let head =
        "<testsuites\(name) tests=\"\(report.cases.count)\" failures=\"\(report.failed)\""
        + " time=\"\(time(report.seconds))\">"
    return (["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", head] + suites + ["</testsuites>"])
        .joined(separator: "\n")
}

/// The name of a report of tests, which tells it from one of findings.
private let testsName = "momtool test"

/// The property of a suite that says which shard a report is of.
private let shardProperty = "momtool.shard"

private func shardProperties(_ shards: [String]) -> [String] {
    guard !shards.isEmpty else { return [] }
    let properties = shards.map {
        "      <property name=\"\(shardProperty)\" value=\"\(markup($0))\"/>"
    }
    return ["    <properties>"] + properties + ["    </properties>"]
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
        } else if item.isSkipped || item.isRecorded {
            "<skipped message=\"\(message)\"/>"
        } else {
            item.lines.isEmpty ? "" : "<system-out>\(text)</system-out>"
        }
    return body.isEmpty ? head + "/>" : head + ">\(body)</testcase>"
}

/// Lines none of which a runner takes for a command where the report goes to its log.
private func harmlessLines(_ lines: [String]) -> String {
    lines.joined(separator: "\n").split(separator: "\n", omittingEmptySubsequences: false)
        .map { $0.hasPrefix("::") || $0.hasPrefix("##[") ? "\\\($0)" : String($0) }
        .joined(separator: "\n")
}

private func time(_ seconds: Double) -> String { seconds.fixed(3) }

extension TestReport {
    /// Joins reports in JUnit's XML, as those of the shards of one run, in the order of the files.
    ///
    /// - Parameter files: the reports with their paths.
    /// - Returns: the cases of all; what is no report is an error at its location, and left out.
    package static func merging(
        jUnit files: [(path: String, data: Data)]
    ) -> Diagnosed<TestReport> {
        var cases: [Case] = []
        var seconds = 0.0
        var diagnostics: [Diagnostic] = []
        var tally = ShardTally()
        var isOfFindings = false
        for file in files {
            do throws(XMLFault) {
                let document = try readXML(file.data, path: file.path)
                let suites = suites(in: document.root)
                // A shard without tests has no suite.
                let isEmpty =
                    document.root.name == "testsuites" && document.root.children.isEmpty
                guard !suites.isEmpty || isEmpty else {
                    let place = document.source.location(
                        atOffset: document.root.range.lowerBound
                    )
                    diagnostics.append(
                        Diagnostic("not-a-junit-report", "there is no 'testsuite' here", at: place)
                    )
                    continue
                }
                tally.add(suites.flatMap(shards), of: file.path)
                if document.root["name"] != testsName { isOfFindings = true }
                for suite in suites {
                    cases += suite.children.filter { $0.name == "testcase" }.map {
                        readCase($0, in: suite)
                    }
                }
                // Shards run beside each other: the slowest one says how long the run took.
                let own = document.root["time"].flatMap { Double($0) }
                seconds = max(seconds, own ?? cases.map(\.seconds).reduce(0, +))
            } catch {
                diagnostics.append(error.diagnostic)
            }
        }
        var report = TestReport(cases: cases, seconds: seconds)
        report.isOfFindings = isOfFindings
        report.take(tally)
        return Diagnosed(report, diagnostics)
    }

    /// Takes the shards of joined reports.
    mutating func take(_ tally: ShardTally) {
        (shards, shardFaults) = (tally.names, tally.faults)
    }

    /// The shards that a suite says it is of.
    private static func shards(in suite: XMLElement) -> [String] {
        suite.children.filter { $0.name == "properties" }.flatMap(\.children)
            .filter { $0.name == "property" && $0["name"] == shardProperty }
            .compactMap { $0["value"] }
    }

    private static func suites(in root: XMLElement) -> [XMLElement] {
        switch root.name {
        case "testsuite": [root]
        case "testsuites": root.children.filter { $0.name == "testsuite" }
        default: []
        }
    }

    private static func readCase(_ element: XMLElement, in suite: XMLElement) -> Case {
        func lines(_ child: XMLElement) -> [String] {
            let text = child.text
            let all = text.isEmpty ? child["message"] ?? "" : text
            return all.split(separator: "\n").map(String.init)
        }
        var item = Case(
            group: element["classname"] ?? suite["name"] ?? "",
            name: element["name"] ?? "",
            status: "passed",
            lines: [],
            seconds: element["time"].flatMap { Double($0) } ?? 0,
            path: element["file"],
            line: element["line"].flatMap { Int($0) }
        )
        for child in element.children {
            switch child.name {
            case "failure", "error": (item.status, item.lines) = ("failed", lines(child))
            case "skipped": (item.status, item.lines) = ("skipped", lines(child))
            case "system-out" where item.status == "passed": item.lines = lines(child)
            default: continue
            }
        }
        return item
    }
}
