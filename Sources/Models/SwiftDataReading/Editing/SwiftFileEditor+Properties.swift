#if SwiftData
    internal import SwiftSyntax

    extension SwiftFileEditor {
        /// Adds a property behind the last stored one.
        mutating func add(_ text: String, toClassAt offset: Int) throws(SwiftEditFault) {
            let type = try declaration(at: offset)
            let members = type.memberBlock.members
            let stored = members.last { member in
                guard let variable = member.decl.as(VariableDeclSyntax.self) else { return false }
                let isStatic = variable.modifiers.contains { $0.name.text == "static" }
                return !isStatic && variable.bindings.allSatisfy { !$0.isComputed }
            }
            if let stored, let end = lineEnd(behind: stored.bytes.upperBound - 1) {
                let indent = indent(at: stored.bytes.lowerBound)
                return replace(end..<end, with: indent + text + lineEnd)
            }
            let brace = type.memberBlock.leftBrace.bytes.upperBound
            let indent = indent(at: type.bytes.lowerBound)
            let isOneLine =
                lineEnd(behind: brace).map { $0 > type.memberBlock.bytes.upperBound } ?? true
            let rest = isOneLine ? lineEnd + indent : ""
            replace(brace..<brace, with: lineEnd + indent + "    " + text + rest)
        }

        /// Finds the declaration of the property whose name begins at a byte.
        private func property(
            at offset: Int
        ) throws(SwiftEditFault) -> (declaration: VariableDeclSyntax, name: TokenSyntax) {
            guard offset < bytes.count,
                let name = tree.token(at: AbsolutePosition(utf8Offset: offset)),
                name.bytes.lowerBound == offset,
                let binding = name.parent?.as(IdentifierPatternSyntax.self)?.parent,
                let variable = binding.as(PatternBindingSyntax.self)?.parent?.parent?
                    .as(VariableDeclSyntax.self)
            else { throw SwiftEditFault("the property is not where it was in \(path)") }
            guard variable.bindings.count == 1 else {
                throw SwiftEditFault(
                    "'\(name.plainText)' is declared together with others; give it a line of its own"
                )
            }
            return (variable, name)
        }

        mutating func rename(
            propertyAt offset: Int,
            to new: String,
            _ isRelationship: Bool
        ) throws(SwiftEditFault) {
            let (variable, name) = try property(at: offset)
            let old = name.plainText
            replace(name, with: new.swiftName)
            keepName(old, of: variable, renamedTo: new, isRelationship)
            let type = all(ClassDeclSyntax.self, below: tree).last { $0.bytes.contains(offset) }
            guard let type else { return }
            for macro in all(MacroExpansionDeclSyntax.self, below: type)
            where ["Index", "Unique"].contains(macro.macroName.text) {
                for path in all(KeyPathExprSyntax.self, below: macro) {
                    if let token = path.property(old, of: type.name.plainText) {
                        replace(token, with: new.swiftName)
                    }
                }
            }
            for access in all(MemberAccessExprSyntax.self, below: type)
            where access.base?.trimmedDescription == "self"
                && access.declName.baseName.plainText == old
            {
                replace(access.declName.baseName, with: new.swiftName)
            }
        }

        /// Writes the inverse of a relationship into its `@Relationship`, which is made where there is none.
        mutating func write(
            inverse path: String,
            ofPropertyAt offset: Int
        ) throws(SwiftEditFault) {
            let variable = try property(at: offset).declaration
            let attribute = variable.attributes.compactMap { $0.as(AttributeSyntax.self) }
                .first { $0.nameWithoutModule == "Relationship" }
            let argument = "inverse: \(path)"
            guard let attribute else {
                let start = variable.bytes.lowerBound
                return replace(start..<start, with: "@Relationship(\(argument)) ")
            }
            add(argument, before: ["hashModifier"], to: attribute)
        }

        /// Adds an argument to an attribute.
        private mutating func add(
            _ argument: String,
            before later: [String],
            to attribute: AttributeSyntax
        ) {
            guard case .argumentList(let list)? = attribute.arguments, let last = list.last else {
                if let paren = attribute.leftParen {
                    return replace(paren.bytes.upperBound..<paren.bytes.upperBound, with: argument)
                }
                let end = attribute.bytes.upperBound
                return replace(end..<end, with: "(\(argument))")
            }
            if let next = list.first(where: { later.contains($0.label?.text ?? "") }) {
                let start = next.bytes.lowerBound
                return replace(start..<start, with: argument + ", ")
            }
            let end = last.expression.bytes.upperBound
            replace(end..<end, with: ", " + argument)
        }

        /// Writes the name that stores know, or takes it away where it is the name again.
        private mutating func keepName(
            _ old: String,
            of variable: VariableDeclSyntax,
            renamedTo new: String,
            _ isRelationship: Bool
        ) {
            let own = ["Attribute", "Relationship"]
            let attributes = variable.attributes.compactMap { $0.as(AttributeSyntax.self) }
            let written = attributes.first { own.contains($0.nameWithoutModule) }
            let argument = "originalName: \(old.swiftText)"
            guard let written else {
                let word = isRelationship ? "Relationship" : "Attribute"
                let start = variable.bytes.lowerBound
                return replace(start..<start, with: "@\(word)(\(argument)) ")
            }
            var arguments: [LabeledExprSyntax] = []
            if case .argumentList(let list)? = written.arguments { arguments = Array(list) }
            if let index = arguments.firstIndex(where: { $0.label?.text == "originalName" }) {
                // The oldest name of the chain is what stores know; back at it, none is needed.
                guard arguments[index].expression.trimmedDescription == new.swiftText else {
                    return
                }
                return removeArgument(index, of: arguments, from: written)
            }
            add(argument, before: ["inverse", "hashModifier"], to: written)
        }

        private mutating func removeArgument(
            _ index: Int,
            of arguments: [LabeledExprSyntax],
            from attribute: AttributeSyntax
        ) {
            if arguments.count == 1 {
                // An attribute that says nothing more goes with the blanks behind it.
                let isAttribute = attribute.nameWithoutModule == "Attribute"
                let end = attribute.endPosition.utf8Offset
                let range = attribute.bytes
                replace(
                    range.lowerBound..<(isAttribute ? end : range.upperBound),
                    with: isAttribute ? "" : "@Relationship"
                )
            } else if index + 1 < arguments.count {
                replace(
                    arguments[index].bytes.lowerBound..<arguments[index + 1].bytes.lowerBound,
                    with: ""
                )
            } else {
                let start = arguments[index - 1].expression.bytes.upperBound
                replace(start..<arguments[index].bytes.upperBound, with: "")
            }
        }

        mutating func remove(propertyAt offset: Int) throws(SwiftEditFault) {
            let (variable, name) = try property(at: offset)
            let type = all(ClassDeclSyntax.self, below: tree).last { $0.bytes.contains(offset) }
            if let type {
                for macro in all(MacroExpansionDeclSyntax.self, below: type)
                where ["Index", "Unique"].contains(macro.macroName.text) {
                    let paths = all(KeyPathExprSyntax.self, below: macro)
                    guard
                        paths.allSatisfy({
                            $0.property(name.plainText, of: type.name.plainText) == nil
                        })
                    else {
                        throw SwiftEditFault(
                            "#\(macro.macroName.text) of \(type.name.plainText) names '\(name.plainText)'; remove it there first"
                        )
                    }
                }
            }
            removeLines(of: variable)
        }

        /// Removes a declaration with the lines that it has for itself, its documentation and the comment behind it.
        mutating func removeLines(of declaration: some SyntaxProtocol) {
            let range = declaration.bytes
            var start = range.lowerBound
            let isFirst = bytes[lineStart(of: start)..<start].allSatisfy {
                $0 == 0x20 || $0 == 0x09
            }
            let end = lineEnd(behind: range.upperBound - 1) ?? bytes.count
            // A comment behind it belongs to it.
            let rest = bytes[range.upperBound..<end].drop { $0 <= 0x20 }
            guard isFirst, rest.isEmpty || rest.starts(with: Array("//".utf8)) else {
                return replace(range, with: "")
            }
            start = lineStart(of: start)
            // The documentation above it goes along.
            while start > 0 {
                let above = lineStart(of: start - 1)
                let words = bytes[above..<start].drop { $0 == 0x20 || $0 == 0x09 }
                guard words.starts(with: Array("///".utf8)) else { break }
                start = above
            }
            guard !declaration.is(VariableDeclSyntax.self),
                !declaration.is(TypeAliasDeclSyntax.self)
            else { return replace(start..<end, with: "") }
            // Of the empty lines around a type those above it go.
            while start > 0 {
                let above = lineStart(of: start - 1)
                guard bytes[above..<start].allSatisfy({ $0 <= 0x20 }) else { break }
                start = above
            }
            replace(start..<end, with: "")
        }

        mutating func renameInverses(
            of type: String,
            _ old: String,
            to new: String,
            in scope: String?
        ) {
            for owner in all(ClassDeclSyntax.self, below: tree)
            where owner.typesAround.first == scope {
                for attribute in all(AttributeSyntax.self, below: owner)
                where attribute.nameWithoutModule == "Relationship" {
                    for path in all(KeyPathExprSyntax.self, below: attribute) {
                        if let token = path.property(old, of: type) {
                            replace(token, with: new.swiftName)
                        }
                    }
                }
            }
        }
    }

    extension PatternBindingSyntax {
        /// Whether it is not stored: a getter, but no observers alone.
        fileprivate var isComputed: Bool {
            guard let block = accessorBlock else { return false }
            guard case .accessors(let list) = block.accessors else { return true }
            return list.contains { ["get", "_read"].contains($0.accessorSpecifier.text) }
        }
    }

    extension AttributeSyntax {
        /// The name, such as `Relationship` also where it is written `@SwiftData.Relationship`.
        fileprivate var nameWithoutModule: String {
            attributeName.as(MemberTypeSyntax.self)?.name.text
                ?? attributeName.trimmedDescription
        }
    }

    extension KeyPathExprSyntax {
        /// The name at the end of the path, where it is that of a property of a type; a path without a type is of it.
        fileprivate func property(_ name: String, of type: String) -> TokenSyntax? {
            var names =
                root.map {
                    [$0.trimmedDescription.split(separator: ".").last.map(String.init) ?? ""]
                } ?? []
            var last: TokenSyntax?
            for component in components {
                guard case .property(let property) = component.component else { return nil }
                last = property.declName.baseName
                names.append(property.declName.baseName.plainText)
            }
            guard let last, last.plainText == name else { return nil }
            return names.count == 1 || names[names.count - 2] == type ? last : nil
        }
    }

    extension String {
        /// The text as a literal; names have no signs that need more.
        fileprivate var swiftText: String { "\"" + self + "\"" }
    }
#endif
