import ArgumentParser
import Diagnostics
import FileSystem
import Essentials
import MappingInference
import ModelDiffing
import ModelDrawing
import ModelLoading
import Momtool
import ObjectModel
import MomtoolReporting

/// `momtool docs`: a small static site about a model.
struct DocsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "docs",
        abstract: "Write documentation for a model as a small static site.",
        discussion: """
            Each entity has a page with its properties, user info and a picture of its
            neighbours. Another page lists what each version changed and what that means
            for stores. No server or network is needed.

            EXAMPLE
              momtool docs Shop.xcdatamodeld -o Site
            """
    )

    @Argument(help: "The model.", completion: .model)
    var model: String

    @Option(help: "The version; the current one when left out.", completion: .version)
    var version: String?

    @Option(name: .shortAndLong, help: "The folder for the pages.")
    var output: String

    @OptionGroup var swift: SwiftOptions

    @OptionGroup var report: OutputOptions<TextFormats>

    func run() throws {
        try MomtoolCommands.run {
            guard output != "-" else {
                throw CommandFailure(usage: "a site is a folder; name one with -o, not -")
            }
            let bundle = try ModelArgument(model, swift.settings)
                .load(allowingGaps: true, restingOn: .allVersions)
            let shown = try bundle.chosenVersion(version)
            let last = bundle.versions.firstIndex { $0.name == shown.name } ?? 0
            let versions = Array(bundle.versions.prefix(last + 1))
            let steps = zip(versions, versions.dropFirst()).map(step)
            // The sources of the folder at hand are called as that is.
            let path = bundle.path == "." ? resolvedPath(".") : bundle.path
            let name = path.split(separator: "/").last.map(String.init) ?? path
            let title = name.split(separator: ".").dropLast().joined(separator: ".")
            let site = ModelSite(title: title.isEmpty ? name : title, version: shown, steps: steps)
            let folder = trimmedPath(output)
            let files = site.pages.map { page in
                OutputFile(path: "\(folder)/\(page.name)", bytes: Data((page.text + "\n").utf8))
            }
            let outputs = OutputFiles(path: folder, files: files)
            try OutputFiles.check([outputs], sparing: InputFiles([model]))
            try requireOwnPages(files.map(\.path))
            let hasWritten = try outputs.write()
            let state = hasWritten ? "written" : "up to date"
            var work = WorkReport()
            let line = "\(folder): \(state), \(files.count.counted("page"))"
            work.add(folder, hasWritten ? .written : .unchanged, line)
            try report.deliver(work, sparing: [model])
            try bundle.requireAllVersions()
            try requireUnderstood(shown)
        }
    }

    /// Refuses to replace a page that is of no model: the folder may be that of another site.
    private func requireOwnPages(_ paths: [String]) throws {
        for path in paths where FileIdentity(of: path) != nil {
            guard !ModelSite.isPage(try readText(path, limit: 256 << 20)) else { continue }
            let message = "there is a page of something else at this path; name another folder"
            throw cannotCreate(path, message)
        }
    }

    private func step(_ from: ModelVersion, _ to: ModelVersion) -> DiffReport {
        let (from, to) = comparable(from, to)
        let matching = ModelMatching(from: from, to: to)
        let diff = ModelDiffing.diff(matching)
        return DiffReport(
            from: from,
            to: to,
            diff: diff,
            mapping: inferMapping(matching, diff),
            diagram: Diagram(from: from.model, to: to.model, diff: diff)
        )
    }
}
