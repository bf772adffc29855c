#if SwiftData
    internal import SwiftSyntax

    extension SwiftFileEditor {
        /// Adds an empty class behind another type, indented as that one is.
        mutating func addClass(
            _ name: String,
            behindTypeAt offset: Int
        ) throws(SwiftEditFault) {
            let neighbour = try declaration(at: offset)
            let access = neighbour.modifiers.map(\.name.text).filter {
                ["public", "package", "open"].contains($0)
            }.first.map { $0 == "open" ? "public " : "\($0) " }
            let availability = neighbour.attributes.compactMap { $0.as(AttributeSyntax.self) }
                .filter { $0.attributeName.trimmedDescription == "available" }
                .map(\.trimmedDescription)
            let indent = indent(at: neighbour.bytes.lowerBound)
            let unit = indentation(of: SwiftSource(path: path, bytes: bytes))
            let lines =
                availability + [
                    "@Model", "\(access ?? "")final class \(name.swiftName) {",
                    "\(unit)\(access ?? "")init() {}", "}",
                ]
            let text = lines.map { indent + $0 }.joined(separator: lineEnd)
            let end = neighbour.bytes.upperBound
            guard let next = lineEnd(behind: end - 1) else {
                return replace(bytes.count..<bytes.count, with: lineEnd + lineEnd + text + lineEnd)
            }
            // A comment behind the brace belongs to the type before.
            let rest = bytes[end..<next].drop { $0 <= 0x20 }
            guard rest.isEmpty || rest.starts(with: Array("//".utf8)) else {
                return replace(end..<end, with: lineEnd + lineEnd + text + lineEnd + indent)
            }
            replace(next..<next, with: lineEnd + text + lineEnd)
        }

        /// Adds an alias behind those that make the other classes of a version known by their names alone.
        mutating func addAlias(_ name: String, of version: String) {
            let aliases = all(TypeAliasDeclSyntax.self, below: tree).filter { alias in
                let type = alias.initializer.value.as(MemberTypeSyntax.self)
                return alias.typesAround.isEmpty && type?.baseType.trimmedDescription == version
            }
            guard let last = aliases.last, !aliases.contains(where: { $0.name.plainText == name })
            else { return }
            let modifiers = last.modifiers.map { $0.trimmedDescription + " " }.joined()
            let text =
                "\(modifiers)typealias \(name.swiftName) = \(version.swiftName).\(name.swiftName)"
            let end = last.bytes.upperBound
            replace(end..<end, with: lineEnd + indent(at: last.bytes.lowerBound) + text)
        }
    }

    extension SwiftFileEditor {
        /// Takes a class out of the list of a version.
        mutating func remove(
            _ name: String,
            fromModelsOf version: any DeclGroupSyntax
        ) throws(SwiftEditFault) {
            guard let list = list("models", of: version) else {
                throw SwiftEditFault(
                    "'models' of \(version.typeName) is no list that is written there; remove "
                        + "\(name).self by hand"
                )
            }
            remove(name, of: version.typeName, from: list)
        }

        /// Takes a class out of the lists that containers and schemas are given.
        mutating func removeFromLists(_ name: String, of version: String) {
            for list in all(ArrayExprSyntax.self, below: tree) where !list.isOfVersion {
                remove(name, of: version, from: list)
            }
        }

        private mutating func remove(
            _ name: String,
            of version: String,
            from list: ArrayExprSyntax
        ) {
            let elements = Array(list.elements)
            let names = ["\(name).self", "\(version).\(name).self"]
            let place = elements.firstIndex {
                names.contains($0.expression.trimmedDescription.replacing("`", with: ""))
            }
            guard let place else { return }
            let element = elements[place]
            if place + 1 < elements.count {
                // The next element stands where this one did.
                let next = elements[place + 1].bytes.lowerBound
                replace(element.bytes.lowerBound..<next, with: "")
            } else if place > 0 {
                // The comma stays where the list ends in one.
                let former = elements[place - 1]
                let start =
                    element.trailingComma == nil
                    ? former.expression.bytes.upperBound : former.bytes.upperBound
                replace(start..<element.bytes.upperBound, with: "")
            } else {
                replace(element.bytes, with: "")
            }
        }

        /// Removes the alias that makes a class of a version known by its name alone.
        mutating func removeAlias(_ name: String, of version: String) {
            for alias in all(TypeAliasDeclSyntax.self, below: tree)
            where alias.typesAround.isEmpty && alias.name.plainText == name {
                let type = alias.initializer.value.as(MemberTypeSyntax.self)
                guard type?.baseType.trimmedDescription == version else { continue }
                removeLines(of: alias)
            }
        }
    }

    extension ArrayExprSyntax {
        /// Whether it is the list `models` of a version.
        fileprivate var isOfVersion: Bool {
            var next = parent
            while let node = next {
                if let variable = node.as(VariableDeclSyntax.self),
                    variable.bindings.first?.pattern.trimmedDescription == "models"
                {
                    return true
                }
                next = node.parent
            }
            return false
        }
    }

    extension DeclGroupSyntax {
        /// The name of the type, for messages.
        var typeName: String {
            if let type = self.as(EnumDeclSyntax.self) { return type.name.plainText }
            if let type = self.as(StructDeclSyntax.self) { return type.name.plainText }
            return self.as(ClassDeclSyntax.self)?.name.plainText ?? "the type"
        }
    }
#endif
