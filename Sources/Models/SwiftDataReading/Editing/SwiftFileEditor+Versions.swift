#if SwiftData
    internal import SwiftSyntax

    extension SwiftFileEditor {
        /// Adds a version to the array literals `schemas` and `stages` of a plan.
        mutating func addToPlan(
            at offset: Int,
            _ version: String,
            from former: String
        ) throws(SwiftEditFault) {
            let plan = try declaration(at: offset)
            // Versions inside another type are named as the list names the previous one.
            let outer = outerName(of: former, in: plan) ?? ""
            let (old, new) = (outer + former.swiftName, outer + version.swiftName)
            try append("\(new).self", to: "schemas", of: plan)
            try append(Self.stage(from: old, to: new), to: "stages", of: plan)
        }

        /// Enters a version before another one of a plan, whose stage leads from it then, with the functions as they are; or
        /// to it, where its functions name it too.
        mutating func enterInPlan(
            at offset: Int,
            _ version: String,
            before last: String,
            after former: String?,
            _ leadsToIt: Bool
        ) throws(SwiftEditFault) {
            let plan = try declaration(at: offset)
            let new = version.swiftName
            let schemas = list("schemas", of: plan)?.elements.map { element in
                element.expression.trimmedDescription.split(separator: ".").dropLast().last
            }
            let place = schemas?.firstIndex { $0.map(String.init) == last.swiftName } ?? 0
            try append("\(new).self", to: "schemas", of: plan, at: place)
            let stage = all(FunctionCallExprSyntax.self, below: plan).first { call in
                former.flatMap { call.start(from: $0, to: last, in: self) } != nil
            }
            let end = (outerName(of: last, in: plan) ?? "") + last.swiftName
            if leadsToIt, let stage {
                rename(last, to: new, below: stage)
                let text = Self.stage(from: new, to: end)
                return try append(text, to: "stages", of: plan, at: place)
            }
            let start = former.flatMap { stage?.start(from: $0, to: last, in: self) }
            if let start { replace(start.bytes, with: "\(new).self") }
            let middle = former.map {
                Self.stage(from: (outerName(of: $0, in: plan) ?? "") + $0.swiftName, to: new)
            }
            if let middle, start != nil {
                return try append(middle, to: "stages", of: plan, at: max(place - 1, 0))
            }
            let stages = [middle, Self.stage(from: new, to: end)].compactMap(\.self)
            let text = stages.joined(separator: ", ")
            try append(text, to: "stages", of: plan, at: max(place - 1, 0))
        }

        /// Names another version instead of one, without the types around it.
        private mutating func rename(_ old: String, to new: String, below node: some SyntaxProtocol)
        {
            let accesses = all(MemberAccessExprSyntax.self, below: node).filter {
                $0.base != nil && $0.declName.baseName.plainText == old
            }
            let types = all(MemberTypeSyntax.self, below: node).filter { $0.name.plainText == old }
            let outer = accesses.map(\.bytes) + types.map(\.bytes)
            let plain = node.tokens(viewMode: .sourceAccurate)
                .filter { $0.plainText == old && $0.tokenKind == .identifier($0.text) }
                .map(\.bytes).filter { place in !outer.contains { $0.overlaps(place) } }
            for place in outer + plain { replace(place, with: new) }
        }

        private static func stage(from old: String, to new: String) -> String {
            ".lightweight(fromVersion: \(old).self, toVersion: \(new).self)"
        }

        /// The plan's prefix of a version's name, such as `App.`.
        private func outerName(of version: String, in plan: any DeclGroupSyntax) -> String? {
            all(MemberAccessExprSyntax.self, below: plan)
                .first { $0.base != nil && $0.declName.baseName.plainText == version }
                .flatMap { $0.base.map { "\($0.trimmedDescription)." } }
        }

        /// Adds an element to the array literal of a type's property, before the one at an index, else behind the last.
        private mutating func append(
            _ text: String,
            to name: String,
            of owner: any DeclGroupSyntax,
            at index: Int? = nil
        ) throws(SwiftEditFault) {
            guard let list = list(name, of: owner) else {
                throw SwiftEditFault(
                    "'\(name)' of \(owner.typeName) is not a literal list; add \(text) by hand"
                )
            }
            let next = index.flatMap { list.elements.dropFirst($0).first }
            guard let last = next ?? list.elements.last else {
                let place = list.leftSquare.bytes.upperBound
                return replace(place..<place, with: text)
            }
            let start = last.bytes.lowerBound
            let ownLine = bytes[lineStart(of: start)..<start].allSatisfy {
                $0 == 0x20 || $0 == 0x09
            }
            let gap = ownLine ? lineEnd + indent(at: start) : " "
            if next != nil { return replace(start..<start, with: text + "," + gap) }
            if let comma = last.trailingComma {
                let place = comma.bytes.upperBound
                return replace(place..<place, with: gap + text + ",")
            }
            let place = last.expression.bytes.upperBound
            replace(place..<place, with: "," + gap + text)
        }

        private func list(_ name: String, of owner: any DeclGroupSyntax) -> ArrayExprSyntax? {
            owner.memberBlock.members.lazy.compactMap { member -> ArrayExprSyntax? in
                guard let variable = member.decl.as(VariableDeclSyntax.self),
                    let binding = variable.bindings.first, variable.bindings.count == 1,
                    binding.pattern.trimmedDescription == name
                else { return nil }
                if let value = binding.initializer?.value { return value.as(ArrayExprSyntax.self) }
                guard case .getter(let items)? = binding.accessorBlock?.accessors,
                    items.count == 1, let item = items.first?.item
                else { return nil }
                switch item {
                case .expr(let value): return value.as(ArrayExprSyntax.self)
                case .stmt(let statement):
                    return statement.as(ReturnStmtSyntax.self)?.expression?.as(ArrayExprSyntax.self)
                case .decl: return nil
                }
            }.first
        }

        /// Imports a module before the others, which Xcode and formatters sort.
        mutating func importModule(_ name: String) {
            let imports = tree.statements.compactMap { $0.item.as(ImportDeclSyntax.self) }
            guard !imports.contains(where: { $0.path.trimmedDescription == name }) else { return }
            let next = imports.first { $0.path.trimmedDescription > name } ?? imports.first
            let place = next?.bytes.lowerBound ?? 0
            replace(place..<place, with: "import \(name)" + lineEnd)
        }

        /// Makes aliases and `Schema(versionedSchema:)` name another version.
        mutating func retarget(_ old: String, to new: String) {
            for alias in all(TypeAliasDeclSyntax.self, below: tree)
            where alias.typesAround.isEmpty {
                for type in all(IdentifierTypeSyntax.self, below: alias.initializer)
                where type.name.plainText == old { replace(type.name, with: new.swiftName) }
            }
            for argument in all(LabeledExprSyntax.self, below: tree)
            where argument.label?.text == "versionedSchema" {
                for name in all(DeclReferenceExprSyntax.self, below: argument)
                where name.baseName.plainText == old { replace(name.baseName, with: new.swiftName) }
            }
        }

        /// The declarations of a version and its extensions, under the name of another one.
        func copied(
            _ copy: SwiftSchemaCopy
        ) throws(SwiftEditFault) -> (imports: [String], texts: [String]) {
            var parts: [any DeclGroupSyntax] = all(EnumDeclSyntax.self, below: tree)
                .filter { $0.name.plainText == copy.name }
            parts += all(StructDeclSyntax.self, below: tree)
                .filter { $0.name.plainText == copy.name }.map { $0 as any DeclGroupSyntax }
            parts += all(ExtensionDeclSyntax.self, below: tree)
                .filter {
                    let name = $0.extendedType.trimmedDescription
                    return name == copy.name || name.hasSuffix(".\(copy.name)")
                }
                .map { $0 as any DeclGroupSyntax }
            guard !parts.isEmpty else { return ([], []) }
            let imports = tree.statements.compactMap {
                $0.item.as(ImportDeclSyntax.self)?.trimmedDescription
            }
            let sorted = parts.sorted { $0.bytes.lowerBound < $1.bytes.lowerBound }
            return (imports, sorted.map { inHome(text(of: $0, as: copy), of: $0) })
        }

        /// Puts a copy into an extension of the type that the original is declared in.
        private func inHome(_ text: String, of part: any DeclGroupSyntax) -> String {
            let outer = part.typesAround.reversed().joined(separator: ".")
            guard !outer.isEmpty else { return text }
            let blanks = indent(at: part.bytes.lowerBound)
            return "extension \(outer) {" + lineEnd + blanks + text + lineEnd + "}"
        }

        /// The source text of a type, as if it began a line.
        func text(of type: any DeclGroupSyntax) -> String {
            let text = String(decoding: bytes[type.bytes], as: UTF8.self)
            let blanks = indent(at: type.bytes.lowerBound)
            return Self.lines(of: text).map {
                String($0.hasPrefix(blanks) ? $0.dropFirst(blanks.count) : $0)
            }.joined(separator: "\n")
        }

        private static func lines(of text: String) -> [Substring] {
            text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        }

        /// A text whose lines after the first get more blanks, and the file's line ends.
        func moved(_ text: String, to blanks: String) -> String {
            Self.lines(of: text).enumerated().map {
                $0 == 0 || $1.isEmpty ? String($1) : blanks + $1
            }.joined(separator: lineEnd)
        }

        /// Copies the classes of other versions into a copy of a version, which then lists these.
        private mutating func takeOver(_ classes: [BorrowedClass], into part: any DeclGroupSyntax) {
            for item in classes {
                for access in all(MemberAccessExprSyntax.self, below: part)
                where access.base?.trimmedDescription == item.owner
                    && access.declName.baseName.plainText == item.name
                {
                    let end = access.declName.bytes.lowerBound
                    replace(access.bytes.lowerBound..<end, with: "")
                }
                for type in all(MemberTypeSyntax.self, below: part)
                where type.baseType.trimmedDescription == item.owner
                    && type.name.plainText == item.name
                { replace(type.bytes.lowerBound..<type.name.bytes.lowerBound, with: "") }
            }
            guard !part.is(ExtensionDeclSyntax.self), !classes.isEmpty else { return }
            let end = part.memberBlock.rightBrace.bytes.lowerBound
            let blanks = indent(at: part.bytes.lowerBound)
            let inner = blanks + indentation(of: SwiftSource(path: path, bytes: bytes))
            let text = classes.map { lineEnd + inner + moved($0.text, to: inner) + lineEnd }
                .joined()
            let start = lineStart(of: end)
            let isAlone = bytes[start..<end].allSatisfy { $0 == 0x20 || $0 == 0x09 }
            let place = isAlone ? start : end
            replace(place..<place, with: isAlone ? text : text + blanks)
        }

        private func text(of part: any DeclGroupSyntax, as copy: SwiftSchemaCopy) -> String {
            var file = self
            file.takeOver(copy.borrowed, into: part)
            for token in part.tokens(viewMode: .sourceAccurate) where token.plainText == copy.name {
                if case .identifier = token.tokenKind {
                    file.replace(token, with: copy.newName.swiftName)
                }
            }
            for variable in part.memberBlock.members.compactMap({
                $0.decl.as(VariableDeclSyntax.self)
            }) where variable.bindings.first?.pattern.trimmedDescription == "versionIdentifier" {
                let numbers = all(IntegerLiteralExprSyntax.self, below: variable)
                guard numbers.count == copy.identifier.count else { continue }
                for (number, value) in zip(numbers, copy.identifier) {
                    file.replace(number.literal, with: String(value))
                }
            }
            // The text before and after it is removed.
            file.replace(0..<part.bytes.lowerBound, with: "")
            file.replace(part.bytes.upperBound..<bytes.count, with: "")
            return String(decoding: file.result, as: UTF8.self)
        }
    }

    extension FunctionCallExprSyntax {
        /// The version that a stage between two versions starts from, as it is written; `nil` for other calls.
        fileprivate func start(
            from former: String,
            to last: String,
            in file: SwiftFileEditor
        ) -> ExprSyntax? {
            func version(_ label: String, _ name: String) -> ExprSyntax? {
                let value = arguments.first { $0.label?.text == label }?.expression
                return value.flatMap { value in
                    file.all(DeclReferenceExprSyntax.self, below: value)
                        .contains { $0.baseName.plainText == name } ? value : nil
                }
            }
            return version("toVersion", last).flatMap { _ in version("fromVersion", former) }
        }
    }

    extension DeclGroupSyntax {
        fileprivate var typeName: String {
            if let type = self.as(EnumDeclSyntax.self) { return type.name.plainText }
            if let type = self.as(StructDeclSyntax.self) { return type.name.plainText }
            return self.as(ClassDeclSyntax.self)?.name.plainText ?? "the type"
        }
    }
#endif
