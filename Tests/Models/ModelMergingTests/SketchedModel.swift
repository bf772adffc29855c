/// A random model with only what merges are tried with, written as Xcode does.
struct SketchedModel {
    struct Property {
        var name: String
        var settings: [String]
        var userInfo: [String: Int] = [:]

        static func random(
            _ name: String,
            using random: inout some RandomNumberGenerator
        ) -> Property {
            let types = ["String", "Date", "Boolean", "Integer 32", "UUID"]
            let type = types.randomElement(using: &random) ?? "String"
            return Property(name: name, settings: ["attributeType=\"\(type)\""])
        }

        var text: String {
            let head = "        <attribute name=\"\(name)\" \(settings.joined(separator: " "))"
            guard !userInfo.isEmpty else { return head + "/>\n" }
            let entries = userInfo.keys.sorted().map {
                "                <entry key=\"\($0)\" value=\"\(userInfo[$0] ?? 0)\"/>\n"
            }
            return head + ">\n            <userInfo>\n" + entries.joined()
                + "            </userInfo>\n        </attribute>\n"
        }
    }

    struct Entity {
        var name: String
        var isAbstract = false
        var properties: [Property]

        static func named(
            _ name: String,
            using random: inout some RandomNumberGenerator
        ) -> Entity {
            let count = Int.random(in: 1...5, using: &random)
            let properties = (0..<count).map { Property.random("p\($0)", using: &random) }
            return Entity(name: name, properties: properties)
        }

        mutating func edit(using random: inout some RandomNumberGenerator) {
            guard let index = properties.indices.randomElement(using: &random) else { return }
            switch Int.random(in: 0..<6, using: &random) {
            case 0: properties.remove(at: index)
            case 1: properties[index].settings = ["optional=\"YES\"", "attributeType=\"Binary\""]
            case 2:
                let key = "k\(Int.random(in: 0..<3, using: &random))"
                properties[index].userInfo[key] = Int.random(in: 0..<3, using: &random)
            case 3: isAbstract.toggle()
            case 4: properties[index].settings.append("versionHashModifier=\"a&lt;&#10;--\"")
            default:
                let name = "n\(Int.random(in: 0..<6, using: &random))"
                guard !properties.contains(where: { $0.name == name }) else { return }
                let place = Int.random(in: 0...properties.count, using: &random)
                properties.insert(.random(name, using: &random), at: place)
            }
            let isTwice = properties.contains {
                $0.settings.filter { $0.hasPrefix("versionHash") }.count > 1
            }
            if isTwice { properties[index].settings.removeLast() }
        }

        var text: String {
            let flag = isAbstract ? " isAbstract=\"YES\"" : ""
            let head = "    <entity name=\"\(name)\"\(flag) syncable=\"YES\""
            guard !properties.isEmpty else { return head + "/>\n" }
            return head + ">\n" + properties.map(\.text).joined() + "    </entity>\n"
        }
    }

    var tools = "21279"
    var entities: [Entity]

    static func random(using random: inout some RandomNumberGenerator) -> SketchedModel {
        let count = Int.random(in: 2...6, using: &random)
        return SketchedModel(entities: (0..<count).map { .named("E\($0)", using: &random) })
    }

    func edited(using random: inout some RandomNumberGenerator) -> SketchedModel {
        var model = self
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            guard let index = model.entities.indices.randomElement(using: &random) else { break }
            switch Int.random(in: 0..<8, using: &random) {
            case 0: model.entities.remove(at: index)
            case 1:
                let name = "N\(Int.random(in: 0..<3, using: &random))"
                guard !model.entities.contains(where: { $0.name == name }) else { continue }
                model.entities.insert(.named(name, using: &random), at: index)
            default: model.entities[index].edit(using: &random)
            }
        }
        return model
    }

    var bytes: [UInt8] {
        let text = """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" lastSavedToolsVersion="\(tools)">

            """ + entities.map(\.text).joined() + "</model>\n"
        return Array(text.utf8)
    }
}
