import PropertyLists

/// Compares two archives as graphs: numbers of objects and order of dictionaries and sets do not count, identity of
/// objects does.
struct GraphComparison {
    private struct Pair {
        var left: KeyedArchive.Reference
        var right: KeyedArchive.Reference
        var path: String
    }

    private let left: KeyedArchive
    private let right: KeyedArchive
    private var comparesIdentity = true
    private var open: [Pair] = []
    private var partners: [KeyedArchive.Reference: KeyedArchive.Reference] = [:]
    private var reversePartners: [KeyedArchive.Reference: KeyedArchive.Reference] = [:]
    private var differences: [String] = []

    static func differences(
        _ left: KeyedArchive,
        _ right: KeyedArchive,
        comparingIdentity: Bool = true
    ) -> [String] {
        var comparison = GraphComparison(left: left, right: right)
        comparison.comparesIdentity = comparingIdentity
        guard let leftRoot = left.root, let rightRoot = right.root else { return ["no root"] }
        comparison.open = [Pair(left: leftRoot, right: rightRoot, path: "")]
        while let pair = comparison.open.popLast() { comparison.compare(pair) }
        return comparison.differences.sorted()
    }

    private init(left: KeyedArchive, right: KeyedArchive) {
        self.left = left
        self.right = right
    }

    private mutating func compare(_ pair: Pair) {
        switch (left[pair.left], right[pair.right]) {
        case (.instance(let leftInstance), .instance(let rightInstance)):
            let known = (partners[pair.left], reversePartners[pair.right])
            guard comparesIdentity ? known.0 == nil && known.1 == nil : known.0 != pair.right else {
                if comparesIdentity, known.0 != pair.right || known.1 != pair.left {
                    differences.append("\(pair.path): shared differently")
                }
                return
            }
            partners[pair.left] = pair.right
            reversePartners[pair.right] = pair.left
            compare(leftInstance, rightInstance, pair.path)
        case (let leftObject, let rightObject):
            if leftObject != rightObject {
                differences.append("\(pair.path): \(text(leftObject)) ≠ \(text(rightObject))")
            }
        }
    }

    private mutating func compare(
        _ leftInstance: KeyedArchive.Instance,
        _ rightInstance: KeyedArchive.Instance,
        _ path: String
    ) {
        guard leftInstance.classRecord == rightInstance.classRecord else {
            differences.append(
                "\(path): \(leftInstance.classRecord.chain) ≠ \(rightInstance.classRecord.chain)"
            )
            return
        }
        if leftInstance.className.hasSuffix("Dictionary") {
            compareEntries(entries(leftInstance, of: left), entries(rightInstance, of: right), path)
        } else if leftInstance.className.hasSuffix("Set") {
            compareEntries(members(leftInstance, of: left), members(rightInstance, of: right), path)
        } else {
            for key in Set(leftInstance.keys + rightInstance.keys) {
                compare(leftInstance.values[key], rightInstance.values[key], "\(path).\(key)")
            }
        }
    }

    private mutating func compare(
        _ leftValue: KeyedArchive.Value?,
        _ rightValue: KeyedArchive.Value?,
        _ path: String
    ) {
        switch (leftValue, rightValue) {
        case (.reference(let leftObject), .reference(let rightObject)):
            open.append(Pair(left: leftObject, right: rightObject, path: path))
        case (.references(let leftList), .references(let rightList))
        where leftList.count == rightList.count:
            for (index, (leftObject, rightObject)) in zip(leftList, rightList).enumerated() {
                open.append(Pair(left: leftObject, right: rightObject, path: "\(path)[\(index)]"))
            }
        case (.plain(.array(let none)), .references(let some)),
            (.references(let some), .plain(.array(let none))):
            if !none.isEmpty || !some.isEmpty { differences.append("\(path): arrays differ") }
        default:
            if leftValue != rightValue {
                let texts = [leftValue, rightValue].map { $0.map { "\($0)" } ?? "absent" }
                differences.append("\(path): \(texts[0]) ≠ \(texts[1])")
            }
        }
    }

    private mutating func compareEntries(
        _ leftEntries: [String: KeyedArchive.Reference],
        _ rightEntries: [String: KeyedArchive.Reference],
        _ path: String
    ) {
        for key in Set(leftEntries.keys).union(rightEntries.keys).sorted() {
            guard let leftObject = leftEntries[key], let rightObject = rightEntries[key] else {
                let side = leftEntries[key] == nil ? "left" : "right"
                differences.append("\(path){\(key)}: absent on the \(side)")
                continue
            }
            open.append(Pair(left: leftObject, right: rightObject, path: "\(path){\(key)}"))
        }
    }

    private func references(
        _ instance: KeyedArchive.Instance,
        _ key: String
    ) -> [KeyedArchive.Reference] {
        if case .references(let references) = instance.values[key] { references } else { [] }
    }

    private func entries(
        _ instance: KeyedArchive.Instance,
        of archive: KeyedArchive
    ) -> [String: KeyedArchive.Reference] {
        let keys = references(instance, "NS.keys").map { text(archive[$0]) }
        return Dictionary(
            zip(keys, references(instance, "NS.objects")),
            uniquingKeysWith: { first, _ in first }
        )
    }

    private func members(
        _ instance: KeyedArchive.Instance,
        of archive: KeyedArchive
    ) -> [String: KeyedArchive.Reference] {
        let members = references(instance, "NS.objects")
        let labels = members.map { member -> String in
            guard case .reference(let name) = archive.instance(member)?.values["NSEntityName"]
            else { return text(archive[member]) }
            return text(archive[name])
        }
        return Dictionary(zip(labels, members), uniquingKeysWith: { first, _ in first })
    }

    private func text(_ object: KeyedArchive.Object) -> String {
        switch object {
        case .plain(.string(let text)): text
        case .plain(let value): "\(value)"
        case .instance(let instance): instance.className
        case .null: "nil"
        case .classRecord(let record): "class \(record.name)"
        }
    }
}
