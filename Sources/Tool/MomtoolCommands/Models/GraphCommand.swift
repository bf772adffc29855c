import ArgumentParser
import Essentials
import FileSystem
import ModelDiffing
import ModelDrawing
import ModelLoading
import Momtool
import ObjectModel

struct GraphCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "graph",
        abstract: "Write the entities of a model as a diagram in Mermaid or DOT.",
        discussion: """
            GitHub, GitLab and most editors draw Mermaid; Graphviz draws DOT.

            EXAMPLE
              momtool graph Shop.xcdatamodeld
              momtool graph Shop.xcdatamodeld --format dot | dot -Tsvg -o shop.svg
              momtool graph Shop.xcdatamodeld --entity Order --depth 2 -o order.mmd
              momtool graph Shop.xcdatamodeld --from V1 --changed --format dot=shop.dot
            """
    )

    @Argument(help: "The model.", completion: .model) var model: String

    @Option(help: "An old version; changes since then are marked.", completion: .version)
    var from: String?

    @Option(help: "Draw only this entity and its neighbours; may be repeated.", completion: .entity)
    var entity: [String] = []

    @Option(
        help:
            "How many links away from --entity or --changed entities are drawn; when left out, 1, or a few neighbours of changes."
    )
    var depth: Int?

    @Flag(help: "Draw only what changed since --from, and its neighbours.") var changed = false

    @Option(
        help: ArgumentHelp(
            "The diagram format; FORMAT=PATH writes to a file. May be repeated.",
            valueName: "format[=path]"
        )
    )
    var format: [OutputRequest<DiagramFormats>] = []

    @Option(
        name: .shortAndLong,
        help: "The file of the diagram; its extension sets the format if --format does not.",
        completion: .file()
    )
    var output: String?

    @OptionGroup var swift: SwiftOptions

    @OptionGroup var terminal: TerminalOptions

    func validate() throws {
        if changed, from == nil { throw ValidationError("--changed needs --from") }
        if changed, !entity.isEmpty {
            throw ValidationError("--changed and --entity cannot be combined")
        }
        if depth != nil, !changed, entity.isEmpty {
            throw ValidationError("--depth needs --entity or --changed")
        }
        if let depth, depth < 0 { throw ValidationError("--depth is 0 or more") }
        _ = try requests()
    }

    func run() throws {
        let bundle = try ModelPlace(model, swift: swift.settings).load(allowingGaps: true)
        let diagram = try diagram(of: bundle)
        let requests = try requests()
        let places = try outputPlaces(of: requests.map(\.path), sparing: InputFiles([self.model]))
        for (request, place) in zip(requests, places) {
            let text =
                switch request.format {
                case .mermaid: diagram.mermaid
                case .dot: diagram.dot
                }
            if let place {
                try write(Data((text + "\n").utf8), to: place)
            } else {
                Console.print(text, as: request.format == .mermaid ? .verbatim : .markup)
            }
        }
        try requireUnderstood(bundle.chosenVersion())
    }

    private func requests() throws -> [OutputRequest<DiagramFormats>] {
        let requests = try DiagramFormats.requests(format, to: output, of: "diagram") { output in
            guard let format = DiagramFormat(extensionOf: output) else {
                throw ValidationError(
                    "the extension of '\(output)' is not .mmd, .md or .dot; "
                        + "name the format with --format"
                )
            }
            return format
        }
        return requests.isEmpty ? [OutputRequest(format: .mermaid)] : requests
    }

    private func diagram(of bundle: ModelBundle) throws -> Diagram {
        let new = try bundle.chosenVersion()
        var diagram = Diagram(new.model)
        if let from {
            let old = try bundle.chosenVersion(from)
            let (before, after) = comparable(old, new)
            diagram = Diagram(
                from: before.model,
                to: after.model,
                diff: diff(from: before.model, to: after.model)
            )
        }
        if changed { return diagram.changedPart(depth: depth).changedRows() }
        guard !entity.isEmpty else { return diagram }
        for name in entity where !diagram.boxes.contains(where: { $0.name == name }) {
            throw CommandFailure(noEntity: name, in: new)
        }
        return diagram.around(Set(entity), depth: depth ?? 1)
    }
}

enum DiagramFormats: FormatChoice { static let formats = DiagramFormat.allCases }

enum DiagramFormat: String, CaseIterable {
    case mermaid, dot

    /// The format for the extension of a file; `nil` for an unknown one.
    fileprivate init?(extensionOf path: String) {
        switch fileURL(path).pathExtension.lowercased() {
        case "mmd", "mermaid", "md": self = .mermaid
        case "dot", "gv": self = .dot
        default: return nil
        }
    }
}
