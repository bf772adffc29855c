package import Essentials

/// The way from a folder to a file, by the folders that both are in.
package func relativePath(from folder: URL, to file: URL) -> String {
    let start = folder.path.split(separator: "/")
    let end = file.path.split(separator: "/")
    let common = zip(start, end).prefix { $0 == $1 }.count
    let up = [Substring](repeating: "..", count: start.count - common)
    return (up + end[common...]).joined(separator: "/")
}
