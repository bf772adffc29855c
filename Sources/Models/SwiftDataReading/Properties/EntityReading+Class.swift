extension EntityReader {
    mutating func readClass() {
        guard let declaration = node.declaration else { return }
        if declaration.hasError { refuse("the class is not complete Swift", at: declaration.place) }
        if declaration.isGeneric {
            refuse("generic classes are not understood", at: declaration.place)
        }
        for (form, scope) in node.inherited { readParent(form, in: scope, declaration.place) }
        for use in node.attributes {
            guard use.name == "Model" else {
                noteMacro(use)
                continue
            }
            for argument in use.arguments {
                guard argument.label == "originalName", case .string(let name?) = argument.value
                else {
                    refuse("an argument of @Model is not understood", at: use.place)
                    continue
                }
                draft.renamingIdentifier = name
                doubt("@Model(originalName:)", at: use.place)
            }
        }
    }

    /// Takes a class that the class inherits from, which is a sub-entity of it.
    private mutating func readParent(_ form: TypeForm, in scope: Scope, _ place: Place) {
        let meaning = index.resolve(form, in: scope)
        let message = "a class that inherits from \(form.text) is not understood"
        if case .unknown(_, .notDeclared) = meaning, node.declaration?.usesSuper == true,
            node.declaration?.inherited.first == form, form.path != ["NSObject"]
        {
            return refuse(message, index.notes(on: .notDeclared), at: place)
        }
        if case .unknown(_, let reason) = meaning, index.mayBeClass(form, in: scope) {
            // A generic class has no meaning with its arguments.
            guard case .ambiguous = reason else { return refuse(message, at: place) }
            return refuse(
                "the class \(form.text) that it inherits from is declared more than once",
                index.notes(on: reason),
                at: place
            )
        }
        guard case .declared(let id) = meaning, index.nodes[id].declaration?.kind == .class else {
            return
        }
        let line = index.lineage(of: id)
        guard index.nodes[id].isModel, !line.contains(draft.id), line.count < 50 else {
            return refuse(message, at: place)
        }
        draft.parent = id
        doubt("a class that inherits from another", about: "inheritance", at: place)
    }

    /// Whether a superclass also declares a property: an override stores nothing itself.
    func isInherited(_ name: String) -> Bool {
        draft.parent.map { index.lineage(of: $0) }?.contains { id in
            index.nodes[id].declaration?.kind == .class
                && index.nodes[id].members.contains { member in
                    guard case .property(let property) = member else { return false }
                    return property.name == name && !property.isStatic
                }
        } ?? false
    }

    /// Attributes and global actors say nothing about what is stored; a macro of another package may.
    private mutating func noteMacro(_ use: AttributeUse) {
        let isOfLanguage = use.name.first?.isLowercase == true
        guard !isOfLanguage, !use.name.hasSuffix("Actor"), use.name != "Observable" else { return }
        doubt("the macro @\(use.name)", about: "@\(use.name)", at: use.place)
    }
}
