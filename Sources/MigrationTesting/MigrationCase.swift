public import Diagnostics
import FileSystem
public import Essentials
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

    /// Returns the cases in a folder, or below it, by name; one that cannot be read as what is wrong with it.
    public static func results(
        in folder: URL
    ) throws(MigrationCaseError) -> [(name: String, Result<MigrationCase, MigrationCaseError>)] {
        func result(_ folder: URL) -> (String, Result<MigrationCase, MigrationCaseError>) {
            do throws(MigrationCaseError) {
                return (folder.lastPathComponent, .success(try MigrationCase(folder: folder)))
            } catch {
                return (folder.lastPathComponent, .failure(error))
            }
        }
        if FileManager.default.fileExists(atPath: folder.appending(path: "case.yml").path) {
            return [result(folder)]
        }
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        } catch {
            throw MigrationCaseError(path: folder.path, reason: "cannot be read")
        }
        return names.map { folder.appending(path: $0) }.filter { folder in
            FileManager.default.fileExists(atPath: folder.appending(path: "case.yml").path)
        }.map(result)
    }

    /// Returns the cases in a folder, or below it, by name.
    public static func all(in folder: URL) throws(MigrationCaseError) -> [MigrationCase] {
        var cases: [MigrationCase] = []
        for (_, result) in try results(in: folder) { cases.append(try result.get()) }
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
    public var description: String { "\(location): error: \(reason)" }
}
