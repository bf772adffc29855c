package import Foundation

package let pagesFolder = Corpus.package
    .appending(path: "Sources/Library/Momtool/Momtool.docc")

package func guideBlocks(_ page: String, _ language: String) throws -> [String] {
    let text = try String(contentsOf: pagesFolder.appending(path: page), encoding: .utf8)
    return text.components(separatedBy: "```\(language)\n").dropFirst().compactMap { part in
        part.components(separatedBy: "```").first
    }
}
