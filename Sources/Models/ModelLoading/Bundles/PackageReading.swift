package import Diagnostics

/// Finds where the manifest of a package keeps a model, by its path from there, out of the target around it; `nil` if it
/// does not: a target compiles all models in its folder.
package func exclusion(ofModel model: String, inPackage text: String, _ manifest: String)
    -> FileLocation?
{
    // A dependency on a target only names it.
    let text = text.replacing(/\.target\(name: *"[^"]*"\)/, with: "")
    let starts = text.ranges(of: /arget\(\s*name:/).map(\.upperBound)
    for (start, end) in zip(starts, starts.dropFirst() + [text.endIndex]) {
        let target = text[start..<end]
        /// The texts in quotes, every second part.
        func texts(_ text: Substring) -> [String] {
            let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
            return parts.indices.filter { $0 % 2 == 1 }.map { String(parts[$0]) }
        }
        guard let excluded = target.firstRange(of: "exclude:") else { continue }
        let path = target.firstRange(of: "path:").flatMap { texts(target[$0.upperBound...]).first }
        let folder = path ?? "Sources/\(texts(target).first ?? "")"
        let names = texts(target[excluded.upperBound...].prefix { $0 != "]" })
        let parts = PathParts(model).parts
        guard names.contains(where: { parts.starts(with: PathParts("\(folder)/\($0)").parts) })
        else { continue }
        let line = text[..<excluded.lowerBound].count(where: \.isNewline) + 1
        return FileLocation(path: manifest, line: line)
    }
    return nil
}
