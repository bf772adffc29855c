package import MigrationPlanning

/// Writes the Swift source that performs a list of stages with Apple's `NSStagedMigrationManager`.
///
/// Every version must have its model. Scripts are keyed by the indexes of custom stages, whose handlers quote them, and so
/// is what their maps read that the step drops.
/// There is no final line break.
package func swiftSource(
    of manager: StagedMigrationManager,
    scripts: [Int: [CustomMigrationStage.Part: String]] = [:],
    dropped: [Int: [String]] = [:]
) -> String {
    var lines = [
        "import CoreData", "",
        "/// The stages of the store's migration, generated from a stages file.",
        "enum StagedMigration {",
        "    /// Returns the manager to be set under `NSPersistentStoreStagedMigrationManagerOptionKey`.",
        "    static func manager(in bundle: Bundle = .main) -> NSStagedMigrationManager {",
        "        NSStagedMigrationManager([",
    ]
    for place in manager.stages.indices {
        lines.append("            stage\(place + 1)(in: bundle),")
    }
    lines += ["        ])", "    }"]
    for (place, stage) in manager.stages.enumerated() {
        lines.append("")
        lines += stageLines(stage, place, scripts[place] ?? [:], dropped[place] ?? [])
    }
    lines += [
        "", "    private static func reference(", "        _ name: String,",
        "        _ checksum: String,", "        in bundle: Bundle",
        "    ) -> NSManagedObjectModelReference {", "        NSManagedObjectModelReference(",
        "            name: name,", "            in: bundle,",
        "            versionChecksum: checksum", "        )", "    }", "}",
    ]
    return lines.joined(separator: "\n")
}

private func stageLines(
    _ stage: MigrationStage,
    _ place: Int,
    _ scripts: [CustomMigrationStage.Part: String],
    _ dropped: [String]
) -> [String] {
    let head = "    private static func stage\(place + 1)(in bundle: Bundle) -> NSMigrationStage {"
    let title = "    // " + commentText(stage.title)
    switch stage {
    case .lightweight(let stage):
        return [title, head, "        let stage = NSLightweightMigrationStage(["]
            + stage.versions.map {
                "            \(literal($0.versionChecksum)),  // \(commentText($0.name))"
            } + ["        ])"] + label(stage.label) + ["        return stage", "    }"]
    case .custom(let stage):
        var lines = [
            title, head, "        let stage = NSCustomMigrationStage(",
            "            migratingFrom: \(reference(stage.currentModel)),",
            "            to: \(reference(stage.nextModel))", "        )",
        ]
        lines += label(stage.label)
        if let map = scripts[.map] {
            lines.append(
                "        // Stages have no value expressions; write these in the handlers:"
            )
            lines += dropped.map {
                let name = commentText($0)
                return
                    "        // \(name) is gone before didMigrateHandler runs: remove it in the next version."
            }
            lines += quoted(map, indent: "        ")
        }
        for (part, property) in [
            (CustomMigrationStage.Part.willMigrate, "willMigrateHandler"),
            (.didMigrate, "didMigrateHandler"),
        ] where stage.parts.contains(part) || scripts[part] != nil {
            lines += [
                "        stage.\(property) = { manager, _ in",
                "            guard let container = manager.container else { return }",
                "            let context = container.newBackgroundContext()",
                "            try context.performAndWait {",
            ]
            lines += quoted(scripts[part] ?? "", indent: "                ")
            lines += [
                "                if context.hasChanges { try context.save() }", "            }",
                "        }",
            ]
        }
        return lines + ["        return stage", "    }"]
    }
}

private func reference(_ reference: ManagedObjectModelReference) -> String {
    // A bundle knows a version by its name, where a stages file may have a path.
    let file = reference.name.split(separator: "/").last.map(String.init) ?? reference.name
    let name = file.split(separator: "#").last.map(String.init) ?? file
    let suffix = [".mom", ".xcdatamodel"].first { name.hasSuffix($0) }
    let plain = String(name.dropLast(suffix?.count ?? 0))
    return "reference(\(literal(plain)), \(literal(reference.versionChecksum)), in: bundle)"
}

private func label(_ label: String?) -> [String] {
    label.map { ["        stage.label = \(literal($0))"] } ?? []
}

private func quoted(_ text: String, indent: String) -> [String] {
    text.split(whereSeparator: \.isNewline).map { indent + "// " + commentText(String($0)) }
}

/// A comment ends with its line, regardless of its content.
private func commentText(_ text: String) -> String { String(text.map { $0.isNewline ? " " : $0 }) }

private func literal(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { scalar -> String in
        switch scalar {
        case "\\": "\\\\"
        case "\"": "\\\""
        default:
            scalar.value < 32 || scalar.value == 127
                ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
        }
    }
    return "\"\(escaped.joined())\""
}
