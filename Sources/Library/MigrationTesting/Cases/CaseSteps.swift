import Diagnostics
import Essentials
import ObjectModel
import RowExchange
import SettingsFiles
import StoreFormat

extension MigrationCase {
    /// Carries out the steps of the case on a copy of the migrated store.
    ///
    /// - Parameters:
    ///   - path: the path of the migrated store.
    ///   - version: the version that it has.
    ///   - names: what the case calls its objects.
    ///   - work: the folder of the case's files.
    /// - Returns: what is not as expected; empty when all is.
    /// - Throws: `StoreError` when the store cannot be read.
    func carryOutSteps(
        on path: String,
        _ version: ModelVersion,
        _ names: [String: String],
        in work: URL
    ) throws -> [String] {
        let copy = work.appending(path: "then.sqlite").path
        try copyStore(at: path, to: copy)
        let lines: [String]
        do throws(RowExchangeError) {
            var editor = try RowEditor(path: copy, model: version.model, names: names)
            lines = try self.lines(of: &editor)
        } catch {
            return error.description.split(separator: "\n").map(String.init)
        }
        guard lines.isEmpty else { return lines }
        return try verify(StoreFile(path: copy), against: version.model)
            .filter { $0.severity == .error }.map { "after the steps: \($0)" }
    }

    private func lines(of editor: inout RowEditor) throws(RowExchangeError) -> [String] {
        for step in file.steps {
            let lines = try editor.carryOut(step.work)
            // What comes next would tell the same again.
            if !lines.isEmpty { return lines.map { "\(step.location): \($0)" } }
        }
        guard editor.hasChanges, let last = file.steps.last else { return [] }
        return ["\(last.location): what comes before is not saved; end with 'save'"]
    }
}

extension RowEditor {
    /// Carries out a step; says what is not as expected.
    fileprivate mutating func carryOut(
        _ work: CaseStep.Work
    ) throws(RowExchangeError) -> [String] {
        switch work {
        case .insert(let rows): try insert(RowSource(rows))
        case .set(let name, let values): try set(object(name), RowSource(values))
        case .link(let name, let links): try link(object(name), RowSource(links))
        case .unlink(let name, let links): try unlink(object(name), RowSource(links))
        case .delete(let names):
            var objects: [Object] = []
            for name in names { objects.append(try object(name)) }
            try delete(objects)
        case .save(let refusal): return try save(expecting: refusal)
        case .expect(let name, let values):
            return try differences(of: object(name), from: RowSource(values))
        case .count(let name, let expected):
            let count = try objects(name.name, at: name.location).count
            return count == expected ? [] : ["\(name.name): \(count), expected \(expected)"]
        }
        return []
    }

    private func object(_ name: NamedObject) throws(RowExchangeError) -> Object {
        try object(name.name, at: name.location)
    }

    private mutating func save(
        expecting refusal: CaseRefusal?
    ) throws(RowExchangeError) -> [String] {
        let faults = try save().map(\.description)
        guard let refusal else { return faults.map { "the save is refused: \($0)" } }
        guard !faults.isEmpty else { return ["it is saved, though that is not expected"] }
        let wanted = [refusal.code.map { "(\($0))" }, refusal.message].compactMap(\.self)
        return wanted.filter { word in !faults.contains { $0.contains(word) } }.map {
            unsaid($0, "refused", in: faults.joined(separator: "; "))
        }
    }
}

/// Says that a refusal or a failure is another one than is expected.
func unsaid(_ wanted: String, _ ending: String, in reason: String) -> String {
    let digits = String(wanted.filter { $0.isNumber })
    let isCode = digits.count > 3 && wanted.allSatisfy { $0.isNumber || "()".contains($0) }
    guard isCode else { return "\(ending), and the message lacks '\(wanted)': \(reason)" }
    let numbers = reason.split(whereSeparator: { !$0.isNumber }).map(String.init)
    let code = numbers.first {
        $0.count == digits.count && $0.hasPrefix(String(digits.prefix(3)))
    }
    guard let code else {
        return "\(ending) without the code \(digits) that is expected: \(reason)"
    }
    return "\(ending) with \(code), expected \(digits): \(reason)"
}

extension RowSource {
    fileprivate convenience init(_ text: RowText) {
        self.init(bytes: Array(text.json.utf8), path: text.path)
    }
}
