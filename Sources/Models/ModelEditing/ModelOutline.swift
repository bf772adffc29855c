import ObjectModel

/// The elements of a model source, to find the subject of an edit.
package struct ModelOutline {
    private let editor: SourceEditor

    /// Parses a source.
    package init(_ contents: [UInt8], path: String) throws(EditFault) {
        editor = SourceEditor(try SourceTree(contents, path: path))
    }

    /// The settings of an element by the names of their XML attributes; `nil` for a missing element.
    package func settings(of path: ElementPath) -> [String: String]? {
        guard let node = editor.find(path)?.node else { return nil }
        return Dictionary(firstOf: node.attributes.map { ($0.name, $0.value) })
    }

    /// Finds what words name: `Book`, `Book.title`, `entity Book`, `member Cloud.Book`, or the text of a path.
    ///
    /// Throws ``EditFault`` when it is missing, or the name is ambiguous.
    package func path(of text: String) throws(EditFault) -> ElementPath {
        if text == "model" { return .model }
        let path: ElementPath
        if Self.namesKind(text) {
            path = try ElementPath.read(text)
        } else {
            var found = candidates(text).filter { editor.find($0) != nil }
            // An index or a constraint bears the names of what it is about.
            let properties = found.filter {
                [.attribute, .relationship, .fetchedProperty].contains($0.kind)
            }
            if properties.count == 1 { found = properties }
            guard found.count < 2 else {
                let kinds = found.map { "'\($0.text)'" }.joined(separator: " or ")
                throw EditFault("several things are named '\(text)': write \(kinds)")
            }
            guard let only = found.first else { throw editor.missing(named: text) }
            path = only
        }
        try require(path)
        return path
    }

    package func require(_ path: ElementPath) throws(EditFault) { _ = try editor.require(path) }

    package static func namesKind(_ text: String) -> Bool {
        guard let space = text.firstIndex(of: " ") else { return false }
        return ElementKind(rawValue: String(text[..<space])) != nil
    }

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
