import Diagnostics
import FileSystem
import Foundation
import ModelLoading
import ObjectModel
import SwiftDataReading

/// A model as a git revision has it, named as `REV:path`.
struct GitRevision {
    private let revision: String
    private let path: String

    /// Splits `REV:path`; `nil` when the text has no such form.
    init?(_ text: String) {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        revision = String(text[..<colon])
        path = String(text[text.index(after: colon)...])
        guard !revision.isEmpty, !path.isEmpty, !revision.hasPrefix("-") else { return nil }
    }

    /// Names a path in a revision.
    init(revision: String, path: String) {
        self.revision = revision
        self.path = path
    }

    /// Reads the model; places in it are named `REV:path`.
    func read() throws -> Diagnosed<ModelBundle> {
        let list = try git(["ls-tree", "-r", "-z", "--name-only", revision, "--", path])
        let files = String(decoding: list, as: UTF8.self).split(separator: "\0").map(String.init)
        guard !files.isEmpty else {
            throw CommandFailure(
                .noInput,
                "\(revision):\(path)",
                "no such path in this revision",
                .unreadableFile
            )
        }
        if let bundle = try readSwift(files) { return bundle }
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "momtool-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        for file in files {
            let target = folder.appending(path: file)
            try FileManager.default.createDirectory(
                at: target.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try git(["cat-file", "blob", "\(revision):./\(file)"]).write(to: target)
        }
        return renamed(
            readModelBundle(at: folder.appending(path: path).path, namedAs: "\(revision):\(path)"),
            below: folder.path
        )
    }

    /// Reads Swift sources; `nil` when the files are those of another kind of model.
    private func readSwift(_ files: [String]) throws -> Diagnosed<ModelBundle>? {
        let isModel = files.contains { file in
            [".xcdatamodel/", ".xcdatamodeld/", ".mom"].contains { file.contains($0) }
        }
        let names = files.filter { file in
            file.hasSuffix(".swift") && !file.split(separator: "/").contains { $0.hasPrefix(".") }
        }
        guard !isModel, !names.isEmpty else { return nil }
        let sources = try names.map { file in
            let data = try git(["cat-file", "blob", "\(revision):./\(file)"])
            return SwiftSource(path: "\(revision):\(file)", bytes: Array(data))
        }
        let options = try swiftOptions(for: path)
        return readSwiftBundle(sources, path: "\(revision):\(path)", options: options)
    }

    /// Gives places the name of the revision in place of that of the temporary folder.
    private func renamed(
        _ bundle: Diagnosed<ModelBundle>,
        below folder: String
    ) -> Diagnosed<ModelBundle> {
        func name(_ path: String) -> String {
            path.hasPrefix(folder) ? revision + ":" + path.dropFirst(folder.count + 1) : path
        }
        var bundle = bundle
        bundle.value.path = name(bundle.value.path)
        for index in bundle.value.versions.indices {
            bundle.value.versions[index].path = name(bundle.value.versions[index].path)
        }
        for index in bundle.diagnostics.indices {
            let location = bundle.diagnostics[index].location
            bundle.diagnostics[index].location?.path = name(location?.path ?? "")
        }
        return bundle
    }

    private func git(_ arguments: [String]) throws -> Data {
        let process = Process()
        let (output, errors) = (Pipe(), Pipe())
        process.executableURL = fileURL("/usr/bin/env")
        process.arguments = ["git"] + arguments
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        let message = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            let text = String(decoding: message, as: UTF8.self).split(separator: "\n").first ?? ""
            throw CommandFailure(.noInput, "\(revision):\(path)", String(text), .unreadableFile)
        }
        return data
    }
}
