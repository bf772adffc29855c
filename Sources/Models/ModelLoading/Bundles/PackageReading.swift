package import Diagnostics
import Essentials
import ObjectModel

/// Finds where the manifest of a package keeps a model, by its path from there, out of the target around it; `nil` if it
/// does not: a target compiles all models in its folder.
package func exclusion(ofModel model: String, inPackage text: String, path: String) -> FileLocation?
{
    let parts = PathParts(model).parts
    for call in text.ranges(of: "arget(") {
        let arguments = topLevelArguments(of: text[call.upperBound...])
        func texts(_ label: String) -> [String] {
            let value = arguments.first { $0.hasPrefix("\(label):") } ?? ""
            let pieces = value.split(separator: "\"", omittingEmptySubsequences: false)
            // Every second part is between quotes.
            return pieces.indices.filter { $0 % 2 == 1 }.map { String(pieces[$0]) }
        }
        guard let name = texts("name").first else { continue }
        let folder = texts("path").first ?? "Sources/\(name)"
        let isExcluded = texts("exclude").contains { excluded in
            parts.starts(with: PathParts("\(folder)/\(excluded)").parts)
        }
        guard isExcluded, let argument = arguments.first(where: { $0.hasPrefix("exclude:") })
        else { continue }
        let line = text[..<argument.startIndex].count(where: \.isNewline) + 1
        return FileLocation(path: path, line: line)
    }
    return nil
}

/// The arguments of a call whose parenthesis was opened before a text.
private func topLevelArguments(of text: Substring) -> [Substring] {
    var (depth, isText) = (0, false)
    var arguments: [Substring] = []
    var start = text.startIndex
    func argument(upTo end: Substring.Index) -> Substring {
        text[start..<end].drop(while: \.isWhitespace)
    }
    for index in text.indices {
        switch text[index] {
        case "\"": isText.toggle()
        case _ where isText: break
        case ")" where depth == 0: return arguments + [argument(upTo: index)]
        case "(", "[": depth += 1
        case ")", "]": depth -= 1
        case "," where depth == 0:
            arguments.append(argument(upTo: index))
            start = text.index(after: index)
        default: break
        }
    }
    return []
}
