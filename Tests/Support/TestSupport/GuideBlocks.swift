package import Foundation

/// The folder of the documentation's pages.
package let pagesFolder = Corpus.package
    .appending(path: "Sources/Library/Momtool/Momtool.docc")

/// Returns the fenced blocks of a language in a page of the documentation.
package func guideBlocks(_ page: String, _ language: String) throws -> [String] {
    let text = try String(contentsOf: pagesFolder.appending(path: page), encoding: .utf8)
    return text.components(separatedBy: "```\(language)\n").dropFirst().compactMap { part in
        part.components(separatedBy: "```").first
    }
}
