import ArgumentParser
import Diagnostics
import Essentials
import FileSystem
import ModelChecking
import Momtool
import ProjectChecking
import MomtoolReporting
import SettingsFiles

struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Write what a project needs for checks: locks, settings, a case, a workflow.",
        discussion: """
            Searches the folder and writes what is missing: a lock beside
            each model, .momtool.yml with the mapping models and policies it found,
            one case of a migration, and a workflow for GitHub Actions. Overwrites
            nothing, and prints what it wrote.

            A version whose step drops data without permission is left out of the
            lock, and so is a current version to which older stores cannot migrate, or
            only with a loss; .momtool.yml then has the lines that help, as comments.
            Nothing is locked for a plan that does not lead to what the app opens.

            EXAMPLE
              momtool init
              momtool init App
            """
    )

    @Argument(help: "The folder; the current one when left out.", completion: .directory)
    var folder = "."

    @OptionGroup var swift: SwiftOptions

    @OptionGroup var report: OutputOptions<TextFormats>

    func run() throws {
        let root = trimmedPath(folder)
        guard FileIdentity(of: root)?.isFolder == true, !isModelBundle(root) else {
            let message =
                exists(folder)
                ? "name the folder of the project, not a file or a model"
                : "no such folder; name the folder of the project"
            throw CommandFailure(.noInput, folder, message, .unreadableFile)
        }
        let settings = "\(root)/\(ToolConfiguration.fileName)"
        try inTurn(around: settings) { try fill(root) }
    }

    private func fill(_ root: String) throws {
        let contents = ProjectContents(below: root)
        Console.show(partsNotSeen(below: root).map(\.diagnostic))
        guard !contents.models.isEmpty else {
            let message = "there is no model here; name the folder of a project that has one"
            throw CommandFailure(.noInput, folder, message, "nothing-to-check")
        }
        var batch = Batch()
        var models: [NewProject.Model] = []
        for place in contents.usablePlaces(swift.settings) {
            let model = try batch.attempt {
                let bundle = try place.load(
                    allowingGaps: true,
                    restingOn: .allVersions,
                    toLock: !LockFile(ofModel: place.path).exists,
                    toWrite: true
                )
                return NewProject.Model(path: place.path, bundle: bundle)
            }
            if let model { models.append(model) }
        }
        let project = NewProject(
            root: root,
            contents: contents,
            models: models,
            release: toolVersion
        )
        var files = try models.compactMap { model in
            try batch.attempt { try project.lock(of: model) }
        }
        files += [project.configuration, project.firstCase, project.workflow].compactMap(\.self)
        let remarks = [project.missingCase, project.proposedCorpus].compactMap(\.self)
        try write(files, models.isEmpty ? [] : remarks, below: root)
        // As `lock` ends where not all is locked.
        let isWritten = files.contains { $0.text != nil }
        if isWritten, models.contains(where: \.isRefused) { batch.note(.findings) }
        try batch.finish()
    }

    /// Writes the files that the project lacks, all or none, and reports them.
    private func write(
        _ files: [NewProject.File],
        _ remarks: [Wording],
        below root: String
    ) throws {
        let lacking = files.compactMap { file in
            file.text.map { OutputFile(path: file.path, bytes: Data($0.utf8)) }
        }
        _ = try OutputFiles(path: root, files: lacking).write()
        var work = WorkReport()
        for file in files {
            guard file.text != nil else {
                work.add(file.path, .unchanged, "kept \(file.path)")
                continue
            }
            work.add(file.path, .written, "wrote \(file.path)")
            work.lines += file.remarks.flatMap {
                $0.commandWords.split(separator: "\n").map(String.init)
            }
        }
        if lacking.isEmpty { work.lines.append("nothing to write") }
        work.lines += remarks.map(\.commandWords)
        try report.deliver(work)
    }
}
