public import Foundation
import Yams

/// A fixture case: rows at an old version, and what must become of them (DESIGN, "Fixture case").
public struct MigrationCase: Sendable, Hashable {
    /// What is expected.
    public enum Expectation: Sendable, Hashable {
        /// The rows of `after.json`.
        case migrated
        /// A refusal, with Apple's error code and a part of the message where they are given.
        case refused(code: Int?, message: String?)
    }

    /// The folder.
    public var folder: URL
    /// The model, a path from the folder.
    public var model: String
    /// The version of the rows.
    public var from: String
    /// The version that is migrated to; the current one when left out.
    public var to: String?
    /// What is expected.
    public var expectation: Expectation
    /// Whether values and links may be dropped.
    public var allowsDataLoss: Bool

    /// The name: that of the folder.
    public var name: String { folder.lastPathComponent }

    /// Reads the `case.yml` of a folder.
    ///
    /// - Throws: `MigrationCaseError` when it cannot be read.
    public init(folder: URL) throws(MigrationCaseError) {
        let file = folder.appending(path: "case.yml")
        let settings: Settings
        do {
            let text = try String(contentsOf: file, encoding: .utf8)
            settings = try YAMLDecoder().decode(Settings.self, from: text)
        } catch {
            throw MigrationCaseError(path: file.path, reason: "\(error)")
        }
        self.folder = folder
        model = settings.model
        from = settings.from
        to = settings.to
        expectation = settings.expect?.expectation ?? .migrated
        allowsDataLoss = settings.allowDataLoss ?? false
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

    private struct Settings: Decodable {
        var model: String
        var from: String
        var to: String?
        var expect: Expected?
        var allowDataLoss: Bool?
    }

    private struct Expected: Decodable {
        struct Refusal: Decodable {
            var code: Int?
            var message: String?
        }

        var expectation: Expectation

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let word = try? container.decode(String.self) {
                switch word {
                case "migrated": expectation = .migrated
                case "refused": expectation = .refused(code: nil, message: nil)
                default:
                    let message = "'\(word)' is no expectation; write migrated or refused"
                    throw DecodingError.dataCorruptedError(in: container, debugDescription: message)
                }
                return
            }
            let refusal = try container.decode([String: Refusal].self)["refused"]
            expectation = .refused(code: refusal?.code, message: refusal?.message)
        }
    }
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
