import ModelHashing
import ModelLoading
import Momtool
import Diagnosing
import Diagnostics
import LogReading
import ObjectModel
import StoreFormat

/// The models that stores and logs are compared with.
///
/// Several models are versions of one, with the app's last; or, if no two of them share an entity, and no mapping model
/// leads from one to the last, models that an app merges: a store may then belong to all of them, to some, or to one.
struct DoctorModels: Sendable {
    struct Named: Sendable {
        var argument: String
        /// `nil` for Swift sources that are left out.
        var bundle: ModelBundle?
        var history: ModelHistory?
    }

    /// The contexts to compare a store with; that of all models together comes first.
    private(set) var contexts: [ModelContext] = []

    /// The only model; `nil` for several.
    private var bundle: ModelBundle?

    /// The model whose sources are left out, where no other is named.
    private var leftOut: String?

    var whole: ModelContext? { contexts.first }

    init(
        _ named: [Named],
        _ version: String?,
        _ mappings: NamedMappingModels,
        _ swift: SwiftSettings
    ) throws {
        let known = named.filter { $0.bundle != nil }
        leftOut = known.isEmpty ? named.last?.argument : nil
        guard ModelBundle.shareNoEntity(known.compactMap(\.bundle)),
            !Self.follow(known, by: mappings)
        else {
            bundle = known.count > 1 ? nil : known.first?.bundle
            let all = ((bundle?.parts ?? []) + (bundle?.configured ?? [])).map {
                [Named(argument: known[0].argument, bundle: $0)]
            }
            contexts = try ([known] + all).compactMap {
                try Self.context(of: $0, named, version, mappings, swift)
            }
            return
        }
        let singles = try known.compactMap {
            try Self.context(of: [$0], [$0], known.count > 1 ? nil : version, mappings, swift)
        }
        contexts = Self.merged(singles).map { [$0] + singles } ?? singles
    }

    func context(for store: StoreFile) -> ModelContext? {
        guard contexts.count > 1, let hashes = try? store.metadata().hashes else { return whole }
        let names = Set(hashes.entityNames)
        func misfit(_ context: ModelContext) -> Int {
            let own = Set(context.versions.flatMap(\.hashes.entityNames))
            return 2 * names.subtracting(own).count
                + Set(context.current.hashes.entityNames).subtracting(names).count
        }
        let part = bundle?.narrowed(for: hashes)?.configuration
        return contexts.filter { $0.configuration == part }.min { misfit($0) < misfit($1) }
    }

    /// Advises what to do about sources that are left out, instead of naming a model, which was done.
    func advised(_ diagnosis: Diagnosis) -> Diagnosis {
        guard let leftOut else { return diagnosis }
        var diagnosis = diagnosis
        let store = shellWord(diagnosis.subject)
        diagnosis.waysOut = diagnosis.waysOut.map { way in
            guard way.command == .call(.doctor, .text(store), .model("MODEL")) else { return way }
            return WayOut(
                "find what the sources leave open, with the hashes of the store",
                .call(.hash, .text(shellWord(leftOut)), .fitting(store))
            )
        }
        return diagnosis
    }

    /// Whether a mapping model leads from one of several models to the last: they are versions of one then.
    private static func follow(_ known: [Named], by mappings: NamedMappingModels) -> Bool {
        guard let last = known.last, let bundle = last.bundle else { return false }
        let others = known.dropLast().compactMap(\.bundle)
        return mappings.lead(from: others, to: bundle, for: last.argument)
    }

    private static func context(
        of known: [Named],
        _ all: [Named],
        _ version: String?,
        _ mappings: NamedMappingModels,
        _ swift: SwiftSettings
    ) throws -> ModelContext? {
        guard let last = known.last, let bundle = last.bundle else { return nil }
        let bundles = known.compactMap(\.bundle)
        let current = try bundle.chosenVersion(version)
        var context = ModelContext(
            argument: last.argument,
            versions: bundles.flatMap(\.versions) + all.compactMap(\.history).flatMap(\.versions),
            named: bundle.versions,
            current: current
        )
        context.take(from: bundle)
        context.gone = goneVersions(of: last.argument, bundles, all.compactMap(\.history), swift)
        context.findRoutes { () throws(MomtoolError) in
            do {
                let found = try mappings.read(for: last.argument)
                return try Migrator(
                    by: settings(for: bundle.path),
                    of: bundle,
                    to: current.name,
                    beside: bundles.dropLast(),
                    mappingModels: found,
                    swift
                )
            } catch { throw MomtoolError(error) }
        }
        return context
    }

    /// Finds where git has a version that none of the models has.
    private static func goneVersions(
        of argument: String,
        _ bundles: [ModelBundle],
        _ histories: [ModelHistory],
        _ swift: SwiftSettings
    ) -> @Sendable (ModelVersion) -> GoneVersion? {
        let commits = histories.reduce(into: [:]) { $0.merge($1.commits) { $1 } }
        guard !commits.isEmpty else { return { _ in nil } }
        let versions = bundles.flatMap(\.versions)
        let hashes = Set(versions.map(\.hashes))
        return { version in
            guard let held = commits[version.name], !hashes.contains(version.hashes) else {
                return nil
            }
            return GoneVersion(version, held, of: argument, besides: versions, swift)
        }
    }

    /// The versions of models that an app merges, in all combinations.
    private static func merged(_ contexts: [ModelContext]) -> ModelContext? {
        guard contexts.count > 1,
            let combinations = ModelVersion.combinations(of: contexts.map(\.versions))
        else { return nil }
        let versions = combinations.map(ModelVersion.init(merging:))
        var context = ModelContext(
            argument: contexts.map(\.argument).joined(separator: " + "),
            versions: versions,
            named: [],
            current: ModelVersion(merging: contexts.map(\.current))
        )
        context.merged = contexts.map(\.argument)
        let parts = Dictionary(firstOf: zip(versions.map(\.name), combinations))
        context.gone = { version in
            zip(contexts, parts[version.name] ?? []).lazy.compactMap { $0.gone($1) }.first
                .map { gone in
                    var gone = gone
                    gone.argument = nil
                    return gone
                }
        }
        return context
    }
}
