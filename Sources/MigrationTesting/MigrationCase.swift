import Diagnostics
import FileSystem
public import Foundation
import MigrationPlanning
import Yams

/// A fixture case: rows at an old version, and what must become of them (DESIGN, "Fixture case").
public struct MigrationCase: Sendable, Hashable {
    /// What is expected.
    public enum Expectation: Sendable, Hashable {
        /// The rows of `after.json`.
        case migrated
        /// A refusal before anything is done, with Apple's error code and a part of the message where they are given.
        case refused(code: Int?, message: String?)
        /// A failure on the way, as that of a stage's script, with a part of the message where it is given.
        case failed(message: String?)
    }

    /// The stages that a case goes through.
    public enum Stages: Sendable, Hashable {
        /// The path of a stages file, from the folder.
        case file(String)
        /// The text of a stages file with nothing but the list, at its place in `case.yml`.
        case list(String)
    }

    /// A query on the migrated store, for what rows in the model's terms do not show.
    public struct Fact: Sendable, Hashable, Codable {
        /// The query.
        public var sql: String
        /// Its rows, a line each, the values joined by `|`.
        public var gives: [String]
    }

    /// The folder.
    public var folder: URL
    /// The model, a path from the folder.
    public var model: String
    /// The version of the rows.
    public var from: String
    /// The version that is migrated to; the current one when left out.
    public var to: String?
    /// The stages; `nil` for a migration in one step.
    public var stages: Stages?
    /// What is expected.
    public var expectation: Expectation
    /// Whether values and links may be dropped.
    public var allowsDataLoss: Bool
    /// What must hold beside the rows.
    public var facts: [Fact]
    /// Why the case is not run; `nil` when it is.
    public var skipReason: String?

    /// The name: that of the folder.
    public var name: String { folder.lastPathComponent }

    /// Creates a case.
    public init(
        folder: URL,
        model: String,
        from: String,
        to: String? = nil,
        stages: Stages? = nil,
        expectation: Expectation = .migrated,
        allowsDataLoss: Bool = false
    ) {
        self.folder = folder
        self.model = model
        self.from = from
        self.to = to
        self.stages = stages
        self.expectation = expectation
        self.allowsDataLoss = allowsDataLoss
        facts = []
    }

    /// Reads the `case.yml` of a folder.
    ///
    /// - Throws: `MigrationCaseError` when it cannot be read.
    public init(folder: URL) throws(MigrationCaseError) {
        let file = folder.appending(path: "case.yml")
        do {
            let text = try String(contentsOf: file, encoding: .utf8)
            let settings = try YAMLDecoder().decode(CaseSettings.self, from: text)
            self.init(folder: folder, model: settings.model, from: settings.from, to: settings.to)
            stages = settings.stages.map { path in
                path.isEmpty ? .list(onlyStages(of: text)) : .file(path)
            }
            expectation = settings.expect?.expectation ?? .migrated
            allowsDataLoss = settings.allowDataLoss ?? false
            facts = settings.facts ?? []
            skipReason = settings.skip
        } catch {
            throw MigrationCaseError(path: file.path, reason: reason(error))
        }
    }

    /// Returns the cases in a folder, or below it, by name.
    public static func all(in folder: URL) throws(MigrationCaseError) -> [MigrationCase] {
        if FileManager.default.fileExists(atPath: folder.appending(path: "case.yml").path) {
            return [try MigrationCase(folder: folder)]
        }
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        } catch {
            throw MigrationCaseError(path: folder.path, reason: "cannot be read")
        }
        var cases: [MigrationCase] = []
        for name in names {
            let inner = folder.appending(path: name)
            let file = inner.appending(path: "case.yml")
            guard FileManager.default.fileExists(atPath: file.path) else { continue }
            cases.append(try MigrationCase(folder: inner))
        }
        return cases
    }

    /// Returns the place of a file that the case names.
    func url(of path: String) -> URL {
        path.hasPrefix("/") ? fileURL(path) : folder.appending(path: path)
    }
}

/// What a person must know of an error in a `case.yml`, without the words of the decoder around it.
private func reason(_ error: any Error) -> String {
    guard let error = error as? DecodingError else { return "\(error)" }
    let context =
        switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context),
            .keyNotFound(_, let context), .dataCorrupted(let context):
            context
        @unknown default: nil as DecodingError.Context?
        }
    guard let context else { return "\(error)" }
    if let underlying = context.underlyingError { return reason(underlying) }
    let path = context.codingPath.map(\.stringValue).joined(separator: ".")
    return path.isEmpty ? context.debugDescription : "\(path): \(context.debugDescription)"
}

/// Why a case cannot be run.
public struct MigrationCaseError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file or folder.
    public var path: String
    /// What is wrong with it.
    public var reason: String

    /// What is wrong and where.
    public var description: String { "\(path): \(reason)" }
}
