import Foundation
import TestSupport

/// A folder with copies of one store of the first version, which share an identifier.
struct FleetStores {
    static let model = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path
    static let fixture = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite")

    let folder: URL

    static func with(_ names: [String], _ body: (FleetStores) throws -> Void) throws {
        try withFolder { folder in
            let stores = FleetStores(folder: folder)
            for name in names { try stores.put(name) }
            try stores.write(names.map { $0 + "\n" }.joined(), to: "list")
            try body(stores)
        }
    }

    func put(_ name: String) throws {
        let place = folder.appending(path: name)
        try makeFolder(place.deletingLastPathComponent())
        try? FileManager.default.removeItem(at: place)
        try copyFile(Self.fixture, to: place)
    }

    func cut(_ name: String) throws {
        try write(Data(contentsOf: Self.fixture).prefix(5000), to: name)
    }

    func write(_ text: String, to name: String) throws { try write(Data(text.utf8), to: name) }

    func write(_ data: Data, to name: String) throws {
        try data.write(to: folder.appending(path: name))
    }

    func text(_ name: String) throws -> String { try fileText(folder.appending(path: name)) }

    func files(below name: String) -> [String] {
        let files = FileManager.default.enumerator(atPath: folder.appending(path: name).path)
        return (files?.compactMap { $0 as? String } ?? []).filter { path in
            var isFolder: ObjCBool = false
            let file = folder.appending(path: name).appending(path: path).path
            return FileManager.default.fileExists(atPath: file, isDirectory: &isFolder)
                && !isFolder.boolValue
        }.sorted()
    }

    /// Runs a line of words in the folder; `MODEL` is the model.
    func run(_ line: String) throws -> CommandResult {
        let words = line.split(separator: " ").map { $0 == "MODEL" ? Self.model : String($0) }
        return try momtool(words, in: folder)
    }
}
