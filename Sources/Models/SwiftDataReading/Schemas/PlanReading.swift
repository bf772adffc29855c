import Diagnostics

extension SchemaReader {
    /// Reads a `SchemaMigrationPlan`; `nil` when it is made at run time.
    mutating func plan(_ id: Int) -> SwiftMigrationPlan? {
        let node = index.nodes[id]
        let name = node.path.joined(separator: ".")
        let lists = SchemaLists(index: index)
        do throws(Refusal) {
            var schemas: [String] = []
            let elements = try lists.elements(of: "schemas", in: id)
            // Another target may migrate other models.
            let known = elements.compactMap { try? schema($0.value, $0.scope, lists, $0.place) }
            if known.isEmpty, importers.contains(index.files[node.file].path) { return nil }
            for element in elements {
                schemas.append(try schema(element.value, element.scope, lists, element.place))
            }
            var stages: [SwiftMigrationPlan.Stage] = []
            for element in try lists.elements(of: "stages", in: id) {
                var (stage, functions) = try stage(element, lists)
                let all = functions.map { ($0.closure, bodies(of: $0.value, in: id)) }
                stage.deletes = all.contains { closure, bodies in
                    closure == "willMigrate" && bodies.contains { $0.called.contains("delete") }
                }
                stages.append(stage)
                for (closure, bodies) in all {
                    fetches += self.fetches(in: bodies, as: closure, of: stage, in: id)
                }
            }
            return SwiftMigrationPlan(
                name: name,
                schemas: schemas,
                stages: stages,
                source: index.mark(node.place)
            )
        } catch {
            say(
                .swiftNotReadable,
                "\(name): \(error.reason)",
                error.notes.map { Wording($0) },
                at: error.place ?? node.place
            )
            return nil
        }
    }

    private func schema(
        _ value: Expression,
        _ scope: Scope,
        _ lists: SchemaLists,
        _ place: Place
    ) throws(Refusal) -> String {
        guard let (form, meaning) = lists.type(value, in: scope) else {
            throw Refusal("momtool cannot read a version that is chosen at run time", at: place)
        }
        guard case .declared(let id) = meaning else {
            throw Refusal("\(form.text) is not a VersionedSchema of the sources", at: place)
        }
        return index.nodes[id].path.joined(separator: ".")
    }

    private func stage(_ element: SchemaLists.Element, _ lists: SchemaLists) throws(Refusal) -> (
        stage: SwiftMigrationPlan.Stage, functions: [(closure: String, value: Expression)]
    ) {
        var (value, scope, place) = (element.value, element.scope, element.place)
        for _ in 0..<20 {
            if case .call(.member(_, let kind), let arguments) = value {
                func version(_ label: String) throws(Refusal) -> String {
                    guard let argument = arguments.first(where: { $0.label == label }) else {
                        throw Refusal("a stage without \(label): is not understood", at: place)
                    }
                    return try schema(argument.value, scope, lists, place)
                }
                guard kind == "lightweight" || kind == "custom" else { break }
                let functions = functions(of: arguments)
                let stage = SwiftMigrationPlan.Stage(
                    kind: kind == "custom" ? .custom : .lightweight,
                    from: try version("fromVersion"),
                    to: try version("toVersion"),
                    closures: functions.map(\.closure),
                    source: index.mark(place)
                )
                return (stage, functions)
            }
            guard let (property, next) = lists.follow(value, in: scope) else { break }
            (value, scope, place) = (try lists.value(of: property), next, property.place)
        }
        throw Refusal("momtool cannot read a stage that is built at run time", at: place)
    }

    /// The functions of a stage; the first trailing closure has no label.
    private func functions(
        of arguments: [Expression.Argument]
    ) -> [(closure: String, value: Expression)] {
        var unlabelled = "willMigrate"
        var functions: [(closure: String, value: Expression)] = []
        for argument in arguments where argument.value != .null {
            switch argument.label {
            case "willMigrate"?:
                functions.append(("willMigrate", argument.value))
                unlabelled = "didMigrate"
            case "didMigrate"?: functions.append(("didMigrate", argument.value))
            case nil: functions.append((unlabelled, argument.value))
            default: break
            }
        }
        return functions.sorted { $0.closure > $1.closure }
    }

    /// Returns the body of a function of a stage, and of the functions of its plan that it calls.
    private func bodies(of value: Expression, in id: Int) -> [FunctionBody] {
        func bodies(_ name: String) -> [FunctionBody] {
            index.nodes[id].functions[name] ?? index.functions[name] ?? []
        }
        var rest: [FunctionBody] =
            switch value {
            case .closure(let body): [body]
            case .name(let name, _), .member(_, let name): bodies(name)
            default: []
            }
        var called: Set<String> = []
        var found: [FunctionBody] = []
        while let body = rest.popLast() {
            found.append(body)
            for name in body.called where called.insert(name).inserted { rest += bodies(name) }
        }
        return found
    }

    private func fetches(
        in bodies: [FunctionBody],
        as closure: String,
        of stage: SwiftMigrationPlan.Stage,
        in id: Int
    ) -> [StageFetch] {
        bodies.flatMap(\.fetched).compactMap { use -> StageFetch? in
            guard case .declared(let type) = index.resolve(use.form, in: index.nodes[id].scope),
                index.nodes[type].isModel
            else { return nil }
            return StageFetch(stage: stage, closure: closure, type: type, use: use)
        }.sorted { $0.use.place.offset < $1.use.place.offset }
    }

    /// Orders versions as the plans do; versions outside plans come first if their number is lower.
    func ordered(
        _ versions: [SwiftModelVersion],
        by plans: [SwiftMigrationPlan]
    ) -> [SwiftModelVersion] {
        var places: [String: Int] = [:]
        for name in plans.flatMap(\.schemas) where places[name] == nil {
            places[name] = places.count
        }
        let sorted = versions.sorted { left, right in
            let (one, two) = (left.number, right.number)
            if one != two { return one.lexicographicallyPrecedes(two) }
            return left.name.precedesByCodeUnits(right.name)
        }
        guard !places.isEmpty else { return sorted }
        let planned = versions.filter { places[$0.name] != nil }.sorted {
            (places[$0.name] ?? 0) < (places[$1.name] ?? 0)
        }
        let others = sorted.filter { places[$0.name] == nil }
        return others + planned
    }
}

extension SwiftModelVersion {
    fileprivate var number: [Int] { (identifier ?? "").split(separator: ".").map { Int($0) ?? 0 } }
}

struct StageFetch {
    var stage: SwiftMigrationPlan.Stage
    /// The function, `willMigrate` or `didMigrate`.
    var closure: String
    var type: Int
    var use: FunctionBody.TypeUse
}
