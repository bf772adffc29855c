import ArgumentParser
import Diagnostics
import Essentials
import FileSystem
import MigrationTesting
import ModelLoading
import Momtool
import ObjectModel
import SettingsFiles

/// The case that `momtool test --new` and `--write-case` write.
extension TestCommand {
    var writesNewCase: Bool { new != nil || writeCase }

    func requireSoundNewCase() throws {
        guard new == nil || !writeCase else {
            throw ValidationError("--write-case names the case itself; leave out --new")
        }
        guard writesNewCase || (from == nil && to == nil) else {
            throw ValidationError(
                "--from and --to go with --new and --write-case; for a matrix, name the destination with --matrix"
                    + " MODEL#VERSION, or use --to-every-version"
            )
        }
        if let new, new.isEmpty || new.contains("/") || new.hasPrefix(".") {
            throw ValidationError("--new takes the name of a folder")
        }
    }

    /// Writes the case into a folder of its own below that of cases; throws where there is one, or none can be written.
    func newCase(
        in folder: String,
        _ model: String,
        _ bundle: ModelBundle
    ) throws -> (path: String, losses: [String], remark: String?) {
        let destination = try bundle.chosenVersion(to)
        let source =
            try from.map { try bundle.chosenVersion($0) }
            ?? bundle.shippedPredecessor(of: destination)
        let name = new ?? "\(source.name)-to-\(destination.name)".replacing("/", with: "-")
        let place = fileURL(folder).standardizedFileURL.appending(path: name)
        let file = place.appending(path: MigrationCase.fileName)
        guard FileIdentity(of: place.path) == nil else {
            throw CommandFailure(
                .refused,
                pathFromHere(place.path),
                "this case already exists; choose another name",
                "existing-case"
            )
        }
        let path = relativePath(from: place, to: fileURL(model).standardizedFileURL)
        let plain = CaseFile(model: path, from: source.name, to: destination.name)
        let mappings = try? MigrationCase(folder: place, plain).mappingModels()
        let written = NewCaseTexts(
            model: path,
            from: source,
            to: destination,
            mappings ?? MappingModels()
        )
        do {
            try Files.makeFolder(at: place.path)
            // The first that passes unchanged, or the one that shows most, to be completed. A skipped case proves nothing.
            var first: (text: String, losses: [String])?
            for form in written.forms where written.undeclared.isEmpty {
                try Data(written.text(form, losing: []).utf8).write(to: file)
                let losses = try? MigrationCase.cases(at: place).first?.lossesAtStake()
                let text = written.text(form, losing: losses)
                try Data(text.utf8).write(to: file)
                let cases = (try? MigrationCase.cases(at: place)) ?? []
                if !cases.isEmpty, cases.allSatisfy({ $0.run().status == .passed }) {
                    return (pathFromHere(file.path), losses ?? [], nil)
                }
                first = first ?? (text, losses ?? [])
            }
            let text = first?.text ?? written.text(written.forms[0])
            try Data(text.utf8).write(to: file)
            return (pathFromHere(file.path), first?.losses ?? [], written.remark)
        } catch {
            let path = pathFromHere(file.path)
            throw CommandFailure(.ioFailed, path, systemReason(error), .unreadableFile)
        }
    }
}
