import Essentials
package import Diagnostics
package import ModelDiffing
import ModelLoading
package import ObjectModel
import SettingsFiles
import SwiftDataReading

extension RuleID {
    /// `@Model` classes that open no store of the model that they were written from.
    package static let swiftdataHashDiffers: RuleID = "swiftdata-hash-differs"
}

/// Evidence that Swift sources open the stores of a model.
package struct SwiftDataProof: Sendable {
    package var fit: StoreFit
    /// What the sources declare and no store has shown.
    package var doubts: [Diagnostic]
    package var faults: [Diagnostic]
    /// The attributes, such as `Entry.kind`, with another default or none; hashes do not tell.
    package var otherDefaults: [String]

    package var words: String {
        guard !otherDefaults.isEmpty else { return fit.words }
        let verb = otherDefaults.count == 1 ? "differs" : "differ"
        let names = otherDefaults.joined(separator: ", ")
        return "\(fit.words), \(otherDefaults.count.counted("default")) \(verb): \(names)"
    }

    /// Compares the hashes of sources with those of the version whose stores they must open; `place` is a path whose
    /// nearest configuration describes types of other modules.
    package init(
        of text: String,
        at path: String,
        named name: String?,
        gives version: ModelVersion,
        _ swift: SwiftSettings = SwiftSettings(),
        settingsFor place: String
    ) throws(MomtoolError) {
        var options = swift.applied(to: try configuration(nil, for: place).value.swift)
        options.modelTypes = []
        let source = SwiftSource(path: path, bytes: Array(text.utf8))
        let bundle = readSwiftBundle([source], path: path, options: options)
        let found =
            name.flatMap { bundle.value.version(named: $0) }
            ?? (name == nil ? bundle.value.versions.last : nil)
        let read = found ?? ModelVersion(name: name ?? path, model: ManagedObjectModel())
        fit = StoreFit(version, read)
        otherDefaults = SwiftDataProof.otherDefaults(version.model, read.model)
        doubts = bundle.diagnostics.filter { $0.rule == .swiftUnproven }
        faults = fit.entities.compactMap { entity in
            entity.fault(in: read).map { message in
                let mark = read.model.entities.first { $0.name == entity.name }?.source
                return Diagnostic(
                    .swiftdataHashDiffers,
                    "\(entity.name): \(message)",
                    at: mark?.element ?? FileLocation(path: path),
                    element: entity.name
                )
            }
        }
    }
}

extension SwiftDataProof {
    private static func otherDefaults(
        _ model: ManagedObjectModel,
        _ read: ManagedObjectModel
    ) -> [String] {
        let others = Dictionary(firstOf: read.entities.map { ($0.name, $0.attributes) })
        return model.entities.flatMap { entity in
            entity.attributes.filter { attribute in
                guard attribute.type != .composite,
                    let other = others[entity.name]?.first(where: { $0.name == attribute.name })
                else { return false }
                return attribute.defaultValue != other.defaultValue
                    || attribute.unreadDefault != other.unreadDefault
            }.map { "\(entity.name).\($0.name)" }
        }
    }
}

extension StoreFit.EntityFit {
    fileprivate func fault(in read: ModelVersion) -> String? {
        switch relation {
        case .equal: nil
        case .onlyInFirst: "the classes lack the entity"
        case .onlyInSecond: "the model lacks the entity"
        case .unknown:
            read.model.entities.first { $0.name == name }?.gaps.first
                .map { "not understood: \($0)" } ?? "not understood"
        case .different(let properties):
            properties.isEmpty
                ? "the hash differs because of the entity's own settings"
                : "the hash differs because of \(properties.joined(separator: ", "))"
        }
    }
}
