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
            let lines =
                availability + [
                    "@Model", "\(access ?? "")final class \(name.swiftName) {",
                    "    \(access ?? "")init() {}", "}",
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

    extension DeclGroupSyntax {
        /// The name of the type, for messages.
        var typeName: String {
            if let type = self.as(EnumDeclSyntax.self) { return type.name.plainText }
            if let type = self.as(StructDeclSyntax.self) { return type.name.plainText }
            return self.as(ClassDeclSyntax.self)?.name.plainText ?? "the type"
        }
    }
#endif
