import Diagnostics
import Foundation
import ModelCompiling
import ModelLoading
import ObjectModel
import PropertyLists
import Testing

struct CompiledBundleTests {
    private let model = ManagedObjectModel(
        entities: [Entity(name: "Person", attributes: [Attribute(name: "name", type: .string)])]
    )

    private func read(_ files: [String: Data], as name: String = "App.momd") throws
        -> Diagnosed<ModelBundle>
    {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let bundle = folder.appending(path: name)
        try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
        for (name, bytes) in files { try bytes.write(to: bundle.appending(path: name)) }
        return readModelBundle(at: bundle.path)
    }

    private func compiled(_ names: [String], current: String?) -> [String: Data] {
        let versions = names.map { ModelVersion(name: $0, model: model) }
        let files = compileBundle(versions, currentVersionName: current).value
        return Dictionary(uniqueKeysWithValues: files.map { ($0.name, $0.bytes) })
    }

    @Test func `a compiled bundle is read with its versions and the current one`() throws {
        let bundle = try read(compiled(["App", "App 10", "App 2"], current: "App 10"))
        #expect(bundle.diagnostics == [])
        #expect(bundle.value.versions.map(\.name) == ["App", "App 2", "App 10"])
        #expect(bundle.value.currentVersion?.name == "App 10")
        #expect(bundle.value.versions.map(\.model) == [model, model, model])
    }

    @Test func `the only version is the current one, with version info or without`() throws {
        var files = compiled(["App"], current: nil)
        #expect(try read(files).value.currentVersion?.name == "App")
        files["VersionInfo.plist"] = nil
        #expect(try read(files).value.currentVersion?.name == "App")
    }

    @Test func `a current version that is missing and damaged version info are errors`() throws {
        var files = compiled(["App", "App 2"], current: "App 3")
        #expect(try read(files).diagnostics.map(\.rule) == [.missingCurrentVersion])
        files["VersionInfo.plist"] = Data("bplist00".utf8)
        #expect(try read(files).diagnostics.map(\.rule) == [.unreadableFile])
    }

    @Test func `a damaged version leaves the others readable`() throws {
        var files = compiled(["App", "App 2"], current: "App")
        files["App 2.mom"] = Data("version https://git-lfs.github.com/spec/v1".utf8)
        let bundle = try read(files)
        #expect(bundle.diagnostics.map(\.rule) == [.notAModel])
        #expect(bundle.value.version(named: "App")?.model == model)
    }

    @Test func `an empty bundle and a missing file are errors`() throws {
        #expect(try read([:]).diagnostics.map(\.rule) == [.notAModel])
        let missing = readModelBundle(at: "/nonexistent/App.mom")
        #expect(missing.diagnostics.map(\.rule) == [.unreadableFile])
    }
}
