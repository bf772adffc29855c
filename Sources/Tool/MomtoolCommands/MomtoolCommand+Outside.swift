import FileSystem

extension MomtoolCommand {
    private static let outsideOption = "--allow-outside"

    /// Keeps the paths in a project's files inside the project, unless the words of a run have the option; returns the
    /// other words.
    static func keepingPathsInside(_ words: [String]) -> [String] {
        let options = words.prefix { $0 != "--" }
        ProjectBounds.areKept = !options.contains(outsideOption)
        return options.filter { $0 != outsideOption } + words.dropFirst(options.count)
    }

    /// Names the option where a path was refused that it would let lead out.
    static func reportRefusedPaths() {
        guard ProjectBounds.hasRefused else { return }
        Console.complain("note: \(outsideOption) lets files of a project name paths outside it")
    }
}
