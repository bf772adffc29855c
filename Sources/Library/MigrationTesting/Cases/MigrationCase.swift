package import Diagnostics
package import Essentials
import FileSystem
package import MigrationPlanning
package import Momtool
import RowExchange
package import SettingsFiles

/// A fixture case: rows at an old version, and their expected result.
package struct MigrationCase: Sendable {
    package var folder: URL
    package var file: CaseFile
    /// Where the case is written, which decides how it agrees to a loss.
    var home = Home.caseFile
    /// Its Swift code, which no file can name.
    var code = Code()

    enum Home: Sendable, Hashable { case caseFile, code }

    package struct Code: Sendable {
        var handlers: [String: StageHandlers]
        var policies: [String: any EntityMigrationPolicy]

        package init(
            handlers: [String: StageHandlers] = [:],
            policies: [String: any EntityMigrationPolicy] = [:]
        ) { (self.handlers, self.policies) = (handlers, policies) }
    }

    /// The name of the folder, followed by that in the file where it has several cases.
    package var name: String {
        let folder = folder.lastPathComponent
        return file.name.map { "\(folder): \($0)" } ?? folder
    }

    /// The group of a case found by a folder: the one around its own, named from there, to tell equal names apart.
    package func group(foundBy root: String) -> String {
        let all = fileURL(root).standardizedFileURL.pathComponents
        let around = folder.standardizedFileURL.deletingLastPathComponent().pathComponents
        guard around.starts(with: all) else { return root }
        let below = around.dropFirst(all.count).joined(separator: "/")
        guard !below.isEmpty else { return root }
        return root == "." ? below : "\(trimmedPath(root))/\(below)"
    }

    package init(folder: URL, _ file: CaseFile) { (self.folder, self.file) = (folder, file) }

    /// The name of the file that makes a folder a case.
    package static let fileName = "case.yml"

    /// Reads the cases of a file, or of the `case.yml` in a folder, in the order of the file.
    package static func cases(at place: URL) throws(MigrationCaseError) -> [MigrationCase] {
        let isFile = isCaseFile(place)
        let path = isFile ? place.path : place.appending(path: fileName).path
        if !isFile { try requireInside(path) }
        let text = readText(path)
        let files = readCaseFile(text.value, path: path)
        if let fault = text.diagnostics.first ?? files.diagnostics.first {
            throw MigrationCaseError(fault.location ?? FileLocation(path: path), fault.message)
        }
        let folder = isFile ? place.deletingLastPathComponent() : place
        return files.value.map { MigrationCase(folder: folder, $0) }
    }

    private static func isCaseFile(_ place: URL) -> Bool {
        ["yml", "yaml"].contains(place.pathExtension)
            && FileIdentity(of: place.path)?.isFolder == false
    }

    /// Returns the cases of a file, or all below a folder, in the order of paths; unreadable ones with their faults.
    package static func results(
        in folder: URL
    ) throws(MigrationCaseError) -> [(name: String, Result<MigrationCase, MigrationCaseError>)] {
        func results(_ place: URL) -> [(String, Result<MigrationCase, MigrationCaseError>)] {
            do throws(MigrationCaseError) {
                return try cases(at: place).map { ($0.name, .success($0)) }
            } catch { return [(place.lastPathComponent, .failure(error))] }
        }
        if isCaseFile(folder) { return results(folder) }
        guard (try? Files.names(in: folder.path)) != nil else {
            throw MigrationCaseError(path: folder.path, reason: "cannot be read")
        }
        // `check` finds the same.
        return ProjectContents(below: folder.path).cases.map { fileURL(parent(of: $0)) }
            .flatMap(results)
    }

    /// Returns words with the case's own way to agree to a loss.
    func agreeing(in words: Words) -> Words {
        switch home {
        case .caseFile: words.agreeing(in: "case.yml") { "allow this with allowDataLoss: \($0)" }
        case .code: words.agreeing(in: "case") { "allow this with allowsDataLoss: [\"\($0)\"]" }
        }
    }

    func url(of path: String) -> URL {
        guard !path.hasPrefix("/") else { return fileURL(path) }
        let url = folder.appending(path: path)
        // Messages name a file by its shortest path, unless a link on the way leads elsewhere.
        let short = url.standardizedFileURL
        return FileIdentity(of: short.path) == FileIdentity(of: url.path) ? short : url
    }

    /// The file of the rows before or after, whether or not it exists.
    package func rowsFile(_ name: String) -> URL {
        url(of: file.name.map { "\($0).\(name).json" } ?? "\(name).json")
    }

    func rowSource(_ path: String, _ key: String) throws -> RowSource {
        let url = url(of: path)
        guard !["yml", "yaml"].contains(url.pathExtension) else {
            let reason =
                "'\(path)' is YAML: write rows in YAML into case.yml; a separate file of rows is JSON"
            throw MigrationCaseError(file.places[key] ?? FileLocation(path: url.path), reason)
        }
        return try RowSource(path: url.path)
    }

    /// Refuses a file that lies beside the case and is a link that leads out of the project.
    static func requireInside(_ path: String) throws(MigrationCaseError) {
        if let fault = boundsFault(ofFound: path) {
            throw MigrationCaseError(path: path, reason: fault)
        }
    }

    /// Returns rows of the case, from its own file or another; `nil` when there are none.
    func rows(_ rows: CaseFile.Rows?, _ name: String) throws -> RowSource? {
        switch rows {
        case .text(let text): return RowSource(bytes: Array(text.json.utf8), path: text.path)
        case .file(let path): return try rowSource(path, name)
        case nil:
            let file = rowsFile(name)
            guard Files.exists(at: file.path) else { return nil }
            try Self.requireInside(file.path)
            return try RowSource(path: file.path)
        }
    }
}

package struct MigrationCaseError: Error, Sendable, Hashable, CustomStringConvertible {
    package var location: FileLocation
    package var reason: String

    init(_ location: FileLocation, _ reason: String) {
        (self.location, self.reason) = (location, reason)
    }

    init(path: String, reason: String) { self.init(FileLocation(path: path), reason) }

    package var description: String { "\(location): error: \(reason)".onOneLine }
}

extension MomtoolError {
    package init(_ error: MigrationCaseError) {
        self.init(.badData, saying: [Diagnostic("unusable-case", error.reason, at: error.location)])
    }
}

/// Runs a case whose rows are in the code of a test; returns a sentence for each difference.
///
/// `expected` is nil if another outcome is expected; policies are `delete`, `copy`, or the path of a map.
package func migrationDifferences(
    of model: String,
    from: String,
    to: String? = nil,
    stages: String? = nil,
    rows: String,
    gives expected: String?,
    expectation: CaseFile.Expectation = .migrated,
    mappingModels: [String] = [],
    policies: [String: String] = [:],
    code: MigrationCase.Code = MigrationCase.Code(),
    allowsDataLoss: LossAgreement = .none,
    fillsValues: Bool = false
) throws(MomtoolError) -> [String] {
    guard Files.exists(at: model) else {
        throw MomtoolError(MigrationCaseError(path: model, reason: absence(of: model)))
    }
    func absolute(_ path: String) -> String { fileURL(path).path }
    var file = CaseFile(
        model: absolute(model),
        from: from,
        to: to,
        stages: stages.map { .file(absolute($0)) },
        expectation: expectation,
        allowsDataLoss: allowsDataLoss
    )
    // Faults are reported by their line in the given text.
    file.before = .text(RowText(path: "rows", json: rows))
    file.after = expected.map { .text(RowText(path: "after", json: $0)) }
    file.fillsValues = fillsValues
    file.mappingModels = mappingModels.map(absolute)
    file.policies = policies.mapValues { MappingPolicy(word: $0) == nil ? absolute($0) : $0 }
    let folder = Files.temporaryFolder.appending(path: "momtool-case-\(UUID().uuidString)")
    var inline = MigrationCase(folder: folder, file)
    (inline.home, inline.code) = (.code, code)
    let outcome = inline.run()
    return outcome.status == .passed ? [] : outcome.lines
}
