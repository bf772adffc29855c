/// What a model source consists of, to find what an edit is about.
package struct ModelOutline {
    private let editor: SourceEditor

    /// Takes a source apart.
    ///
    /// - Throws: ``EditFault`` for what is no source.
    package init(_ contents: [UInt8], path: String) throws(EditFault) {
        editor = SourceEditor(try SourceTree(contents, path: path))
    }

    /// The settings of an element by the names of their XML attributes; `nil` where there is none.
    package func settings(of path: ElementPath) -> [String: String]? {
        guard let node = editor.find(path)?.node else { return nil }
        return Dictionary(
            node.attributes.map { ($0.name, $0.value) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Finds what words name: `Book`, `Book.title`, `entity Book`, `member Cloud.Book`, or the text of a path.
    ///
    /// - Throws: ``EditFault`` when it is not there, or several things have the name.
    package func path(of text: String) throws(EditFault) -> ElementPath {
        if text == "model" { return .model }
        let path: ElementPath
        if Self.namesKind(text) {
            path = try ElementPath.read(text)
        } else {
            let found = candidates(text).filter { editor.find($0) != nil }
            guard found.count < 2 else {
                let kinds = found.map { "'\($0.text)'" }.joined(separator: " or ")
                throw EditFault("several things are called '\(text)': say \(kinds)")
            }
            guard let only = found.first else {
                throw editor.missing(named: text)
            }
            path = only
        }
        try require(path)
        return path
    }

    /// Refuses the path of an element that is not there.
    package func require(_ path: ElementPath) throws(EditFault) {
        _ = try editor.require(path)
    }

    /// Whether words begin with a kind of element.
    package static func namesKind(_ text: String) -> Bool {
        guard let space = text.firstIndex(of: " ") else { return false }
        return ElementKind(rawValue: String(text[..<space])) != nil
    }

    /// What a name without a kind may be.
    private func candidates(_ text: String) -> [ElementPath] {
        let outer: [ElementKind] = [.entity, .composite, .fetchRequest, .configuration]
        var paths = outer.map { ElementPath([.init($0, text)]) }
        guard let dot = text.firstIndex(of: ".") else { return paths }
        let (owner, key) = (String(text[..<dot]), String(text[text.index(after: dot)...]))
        let inner: [ElementKind] = [
            .attribute, .relationship, .fetchedProperty, .index, .constraint, .compoundIndex,
        ]
        paths += inner.map { ElementPath.entity(owner).appending($0, key) }
        paths.append(ElementPath([.init(.composite, owner), .init(.element, key)]))
        paths.append(ElementPath([.init(.configuration, owner), .init(.member, key)]))
        return paths
    }
}
