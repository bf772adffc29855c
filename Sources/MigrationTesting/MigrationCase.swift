public import Diagnostics
import FileSystem
public import Foundation
import Momtool
public import SettingsFiles

/// A fixture case: rows at an old version, and what must become of them (DESIGN, "Fixture case").
public struct MigrationCase: Sendable, Hashable {
    /// The folder.
    public var folder: URL
    /// What its `case.yml` says.
    public var file: CaseFile

    /// The name: that of the folder.
    public var name: String { folder.lastPathComponent }

    /// Creates a case.
    public init(folder: URL, _ file: CaseFile) {
        self.folder = folder
        self.file = file
    }

    /// Reads the `case.yml` of a folder.
    ///
    /// - Throws: `MigrationCaseError` when it cannot be read.
    public init(folder: URL) throws(MigrationCaseError) {
        let path = folder.appending(path: "case.yml").path
        let text = readText(path)
        let file = readCaseFile(text.value, path: path)
        if let fault = text.diagnostics.first ?? file.diagnostics.first {
            throw MigrationCaseError(fault.location ?? SourceLocation(path: path), fault.message)
        }
        self.init(folder: folder, file.value)
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

/// Why a case cannot be run.
public struct MigrationCaseError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file or folder, and the place in it.
    public var location: SourceLocation
    /// What is wrong with it.
    public var reason: String

    init(_ location: SourceLocation, _ reason: String) {
        self.location = location
        self.reason = reason
    }

    init(path: String, reason: String) {
        self.init(SourceLocation(path: path), reason)
    }

    /// What is wrong and where.
    public var description: String { "\(location): \(reason)" }
}
