import ArgumentParser
import Foundation
import ModelDiffing
import ModelDrawing
import ModelLoading
import Momtool
import ObjectModel

/// `momtool graph`: a picture of a model.
struct GraphCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "graph",
        abstract: "Draw the entities of a model: Mermaid, DOT or SVG.",
        discussion: """
            EXAMPLE
              momtool graph Shop.xcdatamodeld > shop.mmd
              momtool graph Shop.xcdatamodeld --from V1 --format svg=shop.svg
            """
    )

    @Argument(help: "The model.")
    var model: String

    @Option(help: "The version; the current one when left out.")
    var version: String?

    @Option(help: "An old version: what changed since then is marked.")
    var from: String?

    @Option(
        help: ArgumentHelp(
            "The form: mermaid, dot or svg, to a file with FORMAT=PATH; may be repeated.",
            valueName: "format[=path]"
        )
    )
    var format: [PictureRequest] = []

    func run() throws {
        try Commands.run {
            let bundle = try ModelArgument(model).load()
            let new = try bundle.chosenVersion(version).model
            let diagram: Diagram
            if let from {
                let old = try bundle.chosenVersion(from).model
                diagram = Diagram(from: old, to: new, diff: diff(from: old, to: new))
            } else {
                diagram = Diagram(new)
            }
            let requests = format.isEmpty ? [PictureRequest(format: .mermaid)] : format
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
                    }
                if let place {
                    try write(Data((text + "\n").utf8), to: place)
                } else {
                    Console.say(text)
                }
            }
        }
    }
}

/// A form of picture and the file that it goes to.
struct PictureRequest: ExpressibleByArgument {
    /// The forms of pictures.
    enum Format: String, CaseIterable {
        case mermaid, dot, svg
    }

    var format: Format
    var path: String?

    init(format: Format) {
        self.format = format
    }

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
        guard let format = parts.first.flatMap(Format.init) else { return nil }
        self.format = format
        path = parts.count > 1 ? parts[1] : nil
    }
}
