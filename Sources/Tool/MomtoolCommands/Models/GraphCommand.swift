import ArgumentParser
import Diagnostics
import Essentials
import FileSystem
import ModelDiffing
import ModelDrawing
import ModelLoading
import Momtool
import ObjectModel
import MomtoolReporting

/// `momtool graph`: a picture of a model.
struct GraphCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "graph",
        abstract: "Draw the entities of a model as SVG, HTML, Mermaid or DOT.",
        discussion: """
            Draws entities in layers and relationships as lines between them. The HTML
            page is a single file in which you can move and zoom the picture and search
            entities by name.

            EXAMPLE
              momtool graph Shop.xcdatamodeld -o shop.svg
              momtool graph Shop.xcdatamodeld --entity Order --depth 2 -o order.html
              momtool graph Shop.xcdatamodeld --from V1 --changed --format svg=shop.svg
            """
    )

    @Argument(help: "The model.", completion: .model)
    var model: String

    @Option(help: "The version; the current one when left out.", completion: .version)
    var version: String?

    @Option(help: "An old version; changes since then are marked.", completion: .version)
    var from: String?

    @Option(help: "Draw only this entity and its neighbours; may be repeated.", completion: .entity)
    var entity: [String] = []

    @Option(
        help:
            "How many links away from --entity or --changed entities are drawn; 1 when left out, and a few beside what changed."
    )
    var depth: Int?

    @Flag(help: "Draw only what changed since --from, and its neighbours.")
    var changed = false

    @Option(
        help: ArgumentHelp(
            "What stands together in a frame: auto divides more than 30 entities.",
            valueName: "kind"
        )
    )
    var clusters = Diagram.Grouping.automatic

    @Option(
        help: ArgumentHelp(
            "The image format; FORMAT=PATH writes to a file. May be repeated.",
            valueName: "format[=path]"
        )
    )
    var format: [PictureRequest] = []

    @Option(
        name: .shortAndLong,
        help: "The file of the picture; its extension says the format where --format does not.",
        completion: .file()
    )
    var output: String?

    @OptionGroup var swift: SwiftOptions

    @OptionGroup var terminal: TerminalOptions

    func validate() throws {
        if changed, from == nil { throw ValidationError("--changed goes with --from") }
        if changed, !entity.isEmpty {
            throw ValidationError("--changed and --entity do not go together")
        }
        if depth != nil, !changed, entity.isEmpty {
            throw ValidationError("--depth goes with --entity or --changed")
        }
        if let depth, depth < 0 { throw ValidationError("--depth is 0 or more") }
        _ = try requests()
    }

    func run() throws {
        try MomtoolCommands.run {
            let bundle = try ModelArgument(model, swift.settings).load(allowingGaps: true)
            var diagram = try diagram(of: bundle)
            diagram.grouping = clusters
            let requests = try requests()
            let places = try outputPlaces(
                of: requests.map(\.path),
                sparing: InputFiles([self.model])
            )
            for (request, place) in zip(requests, places) {
                let text =
                    switch request.format {
                    case .mermaid: diagram.mermaid
                    case .dot: diagram.dot
                    case .svg: diagram.svg
                    case .html: diagramPage(diagram)
                    }
                if let place {
                    try write(Data((text + "\n").utf8), to: place)
                } else {
                    Console.print(text, as: request.format == .mermaid ? .verbatim : .markup)
                }
            }
            try requireUnderstood(bundle.chosenVersion(version))
        }
    }

    /// The pictures that are asked for; the one format without a path goes to the file of `-o`.
    private func requests() throws -> [PictureRequest] {
        guard let output else {
            return format.isEmpty ? [PictureRequest(format: .mermaid)] : format
        }
        var requests = format
        let open = requests.indices.filter { requests[$0].path == nil }
        guard open.count < 2 else {
            throw ValidationError("-o takes one picture; name the others as --format FORMAT=PATH")
        }
        if open.isEmpty {
            guard let format = PictureRequest.Format(extensionOf: output) else {
                throw ValidationError(
                    "the extension of '\(output)' is none of .svg, .html, .mmd, .md and .dot; "
                        + "name the format with --format"
                )
            }
            requests.append(PictureRequest(format: format))
        }
        let place = open.first ?? requests.count - 1
        requests[place].path = output == "-" ? nil : output
        return requests
    }

    private func diagram(of bundle: ModelBundle) throws -> Diagram {
        let new = try bundle.chosenVersion(version)
        let file = bundle.path.split(separator: "/").last.map(String.init) ?? bundle.path
        let name = file.split(separator: ".").dropLast().joined(separator: ".")
        var diagram: Diagram
        if let from {
            let old = try bundle.chosenVersion(from)
            let (before, after) = comparable(old, new)
            diagram = Diagram(
                from: before.model,
                to: after.model,
                diff: diff(from: before.model, to: after.model)
            )
            diagram.title = "\(name): \(old.name) → \(new.name)"
        } else {
            diagram = Diagram(new.model)
            diagram.title = name == new.name || name.isEmpty ? new.name : "\(name): \(new.name)"
        }
        if changed { return diagram.changedPart(depth: depth).changedRows() }
        guard !entity.isEmpty else { return diagram }
        for name in entity where !diagram.boxes.contains(where: { $0.name == name }) {
            throw CommandFailure(noEntity: name, in: new)
        }
        return diagram.around(Set(entity), depth: depth ?? 1)
    }
}

extension Diagram.Grouping: ExpressibleByArgument {}

/// A form of picture and the file that it goes to.
struct PictureRequest: ExpressibleByArgument {
    /// The forms of pictures.
    enum Format: String, CaseIterable {
        case mermaid, dot, svg, html

        /// The format that the extension of a file stands for; `nil` for one that stands for none.
        init?(extensionOf path: String) {
            switch fileURL(path).pathExtension.lowercased() {
            case "svg": self = .svg
            case "html", "htm": self = .html
            case "mmd", "mermaid", "md": self = .mermaid
            case "dot", "gv": self = .dot
            default: return nil
            }
        }
    }

    var format: Format
    var path: String?

    init(format: Format) {
        self.format = format
    }

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
        guard let format = parts.first.flatMap({ Format(rawValue: $0) }) else { return nil }
        self.format = format
        path = parts.count > 1 && parts[1] != "-" ? parts[1] : nil
    }

    /// What help and shells offer, and what an error lists.
    static var allValueStrings: [String] { Format.allCases.map(\.rawValue) }

    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}
