import Foundation

/// Returns the fenced blocks of a language in a page of the documentation.
package func guideBlocks(_ page: String, _ language: String) throws -> [String] {
    let file = Corpus.package.appending(path: "Sources/Momtool/Momtool.docc/\(page)")
    let text = try String(contentsOf: file, encoding: .utf8)
    return text.components(separatedBy: "```\(language)\n").dropFirst().compactMap { part in
        part.components(separatedBy: "```").first
    }
}
