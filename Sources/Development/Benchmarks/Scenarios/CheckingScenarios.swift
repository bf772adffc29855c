import Diagnostics
import Foundation
import MappingInference
import ModelChecking
import ModelDiffing
import ModelLoading
import ObjectModel

extension Scenario {
    /// What CI does on every push must not be felt: half a second for a bundle of 120 versions.
    static let checking = Scenario(
        name: "check",
        summary:
            "lint, lock check and diff of a bundle of 120 versions, reading included; under 0.5 s"
    ) { _ in
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = try writeBundle(versions: 120, entities: 40, in: folder)
        let lock = ModelLock(
            versions: readModelBundle(at: path).value.versions.map {
                ModelLock.Version($0)
            }
        ).text
        var findings = 0
        let parsing = leastSeconds(prepare: { lock }) { _ = ModelLock.parse($0, path: "lock") }
        let reading = leastSeconds(prepare: { path }) { _ = readModelBundle(at: $0) }
        let whole = leastSeconds(prepare: { path }) { path in
            let bundle = readModelBundle(at: path)
            let parsed = ModelLock.parse(lock, path: "lock")
            findings = checkEverything(
                bundle.value,
                LocatedLock(parsed.value, path: "lock"),
                .changeable
            )
        }
        let all = leastSeconds(prepare: { readModelBundle(at: path).value }) { bundle in
            let parsed = ModelLock.parse(lock, path: "lock")
            _ = checkEverything(bundle, LocatedLock(parsed.value, path: "lock"), .all)
        }
        return [
            "reading 120 versions of 40 entities: \(reading.milliseconds)",
            "reading a lock of \(lock.utf8.count >> 10) KB: \(parsing.milliseconds)",
            "reading, lint, lock check and diff: \(whole.milliseconds) (\(findings) findings)",
            "lint of all versions and steps, lock check and diff: \(all.milliseconds)",
        ]
    }
}

/// Lints with the lock and compares the last two versions; returns the number of findings.
private func checkEverything(
    _ bundle: ModelBundle,
    _ lock: LocatedLock,
    _ scope: CheckOptions.Scope
) -> Int {
    let findings = check(
        bundle.versions,
        path: bundle.path,
        lock: lock,
        options: CheckOptions(scope: scope)
    )
    let last = Array(bundle.versions.suffix(2))
    let mapping = inferMapping(from: last[0], to: last[1])
    return findings.count + mapping.refusals.count
}

/// Writes a bundle in which each version adds an attribute to that before it.
private func writeBundle(versions: Int, entities: Int, in folder: URL) throws -> String {
    let bundle = folder.appending(path: "Large.xcdatamodeld")
    for version in 1...versions {
        let contents = (0..<entities).map { entity in
            entityText(
                entity,
                of: entities,
                added: version / entities + (entity < version % entities ? 1 : 0)
            )
        }
        let text =
            "<?xml version=\"1.0\"?>\n<model>\n\(contents.joined(separator: "\n"))\n</model>\n"
        let model = bundle.appending(path: "Large \(version).xcdatamodel")
        try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: model.appending(path: "contents"))
    }
    let list = """
        <?xml version="1.0"?><plist version="1.0"><dict><key>_XCCurrentVersionName</key>\
        <string>Large \(versions).xcdatamodel</string></dict></plist>
        """
    try Data(list.utf8).write(to: bundle.appending(path: ".xccurrentversion"))
    return bundle.path
}

private func entityText(_ number: Int, of count: Int, added: Int) -> String {
    let attributes = (0..<(8 + added)).map { attribute in
        "  <attribute name=\"value\(attribute)\" optional=\"YES\" attributeType=\"String\"/>"
    }
    let next = (number + 1) % count
    let last = (number + count - 1) % count
    return """
        <entity name="Entity\(number)" representedClassName="Entity\(number)">
        \(attributes.joined(separator: "\n"))
          <relationship name="next" optional="YES" maxCount="1" destinationEntity="Entity\(next)" \
        inverseName="previous" inverseEntity="Entity\(next)"/>
          <relationship name="previous" optional="YES" toMany="YES" destinationEntity="Entity\(last)" \
        inverseName="next" inverseEntity="Entity\(last)"/>
        </entity>
        """
}
