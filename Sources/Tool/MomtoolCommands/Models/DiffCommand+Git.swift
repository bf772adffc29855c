import Diagnostics
import Essentials
import FileSystem
import ModelLoading
import Momtool
import MomtoolReporting
import ObjectModel

extension DiffCommand {
    /// Shows a file as git's diff driver.
    ///
    /// A status other than 0 ends `git diff` before later files. So a file that is not understood as a model is shown
    /// line by line, after a line with the reason.
    func showForGit() throws {
        // For a file in conflict git passes only the path.
        guard models.count > 1 else { return try show("* Unmerged path \(models[0])") }
        do {
            let sides = try sidesOfGit()
            if let reason = gap(in: sides.old) ?? gap(in: sides.new) {
                return try showLines(as: reason)
            }
            try compare(sides)
        } catch {
            let failure = CommandFailure(error)
            // Only the output can still fail.
            guard [.badData, .noInput, .refused].contains(failure.status) else { throw error }
            try showLines(as: failure.messages.first ?? "the file is not a model")
        }
    }

    /// What is not understood in a version, in a line; `nil` for nothing.
    private func gap(in version: ModelVersion) -> String? {
        for entity in version.model.entities {
            if let gap = entity.gaps.first {
                return "momtool does not understand \(entity.name): \(gap)"
            }
        }
        return nil
    }

    /// Shows the lines that differ, as git does without a driver.
    private func showLines(as reason: String) throws {
        func bytes(_ file: String) throws -> [UInt8]? {
            file == "/dev/null" ? nil : try readFile(file, limit: 64 << 20)
        }
        let why = reason.replacing(": error: ", with: ": ")
        var lines = ["\(models[0]) is compared line by line, not as a model: \(why)".onOneLine]
        do {
            let path = models.count > 7 ? models[7] : models[0]
            let (old, new) = (try bytes(models[1]), try bytes(models[4]))
            lines.append(FilePatch(models[0], to: path, old: old, new: new).text)
        } catch { lines.append("the file cannot be read") }
        try show(lines.joined(separator: "\n"))
    }

    private func show(_ text: String) throws {
        try output.deliver(sparing: InputFiles(models)) { _ in text }
    }

    /// Git passes: path, old file, old hex, old mode, new file, new hex, new mode; /dev/null for no file.
    private func sidesOfGit() throws -> Sides {
        func side(_ file: String, _ revision: String) throws -> ModelVersion {
            let title = "\(revision) \(models[0])"
            guard file != "/dev/null" else {
                return ModelVersion(name: title, model: ManagedObjectModel())
            }
            let data = Data(try readText(file, limit: 256 << 20).utf8)
            let model = readModel(contents: data, path: models[0])
            let unread: Set<RuleID> = [.notAModel, .mergeConflict, "malformed-xml"]
            guard !model.diagnostics.contains(where: { unread.contains($0.rule) }) else {
                throw CommandFailure(.badData, model.diagnostics.map(\.commandWords))
            }
            return ModelVersion(name: title, path: file, model: model.value)
        }
        let isNew = models[1] == "/dev/null"
        let old = try (isNew ? predecessor(ofContents: models[0]) : nil) ?? side(models[1], "old")
        return Sides(old, try side(models[4], "new"))
    }

    /// The version before one whose source is new to git, where the model is on disk: it shows what a new version
    /// changes better than a list of all that it holds.
    private func predecessor(ofContents path: String) -> ModelVersion? {
        let version = parent(of: path)
        guard version.hasSuffix(".xcdatamodel"),
            let bundle = try? ModelPlace(parent(of: version)).readUsable().value,
            let new = bundle.versions.first(where: { $0.path == version }),
            var old = try? bundle.predecessor(of: new)
        else { return nil }
        old.name = "'\(old.name)', the previous version"
        return old
    }
}
