import Essentials
import LogReading
import ModelHashing
import ObjectModel
import StoreFormat

struct WriterSearch {
    let versions: [ModelVersion]

    init(_ versions: [ModelVersion]) {
        self.versions = versions
        hashTogether(versions)
    }

    func find(_ logged: LoggedHashes) -> (WriterIdentity, ModelVersion?) {
        let names = Set(logged.entities.keys)
        let fitting = versions.filter { version in
            logged.entities.allSatisfy { name, fragment in
                version.hashes.entities[name].map(fragment.matches) ?? false
            }
        }
        // All that was printed matches; of versions with more entities, the log shows a part.
        let whole = fitting.filter { $0.hashes.entities.count == names.count }
        if let best = preferred(whole) {
            let isWhole = logged.entities.values.allSatisfy(\.isWhole)
            return (.versions(whole.map(\.name), isWhole ? .hashes : .fragments), best)
        }
        guard let best = preferred(fitting) else { return nearest(logged) }
        let count = best.hashes.entities.count
        return (.versions(fitting.map(\.name), .someEntities(names.count, of: count)), best)
    }

    func find(_ value: LoggedValue) -> (WriterIdentity, ModelVersion?)? {
        let known = versions.filter { version in
            value.bytes.matches(base64Bytes(version.checksum))
                || value.bytes.matches(base64Bytes(version.hashes.digest))
        }
        if let best = preferred(known) { return (.versions(known.map(\.name), .checksum), best) }
        let having = versions.filter { version in
            version.hashes.entities.values.contains(where: value.bytes.matches)
        }
        guard let best = preferred(having) else { return nil }
        return (
            .versions(having.map(\.name), .someEntities(1, of: best.hashes.entities.count)), best
        )
    }

    /// The current one of indistinguishable versions, or the last one.
    private func preferred(_ versions: [ModelVersion]) -> ModelVersion? {
        versions.first(where: \.isCurrent) ?? versions.last
    }

    private func nearest(_ logged: LoggedHashes) -> (WriterIdentity, ModelVersion?) {
        let known = Set(versions.flatMap(\.hashes.entityNames))
        // A version without any of the entities is not near.
        if !known.isEmpty, known.isDisjoint(with: logged.entities.keys) {
            return (.foreign(logged.entities.keys.sorted()), nil)
        }
        var best: (version: ModelVersion, differences: [EntityDifference])?
        for version in versions {
            let found = differences(logged, version.hashes)
            if let best, best.differences.count < found.count { continue }
            best = (version, found)
        }
        guard let best else { return (.unknown, nil) }
        return (.nearest(best.version.name, best.differences, changes: []), nil)
    }

    private func differences(_ logged: LoggedHashes, _ model: ModelHashes) -> [EntityDifference] {
        Set(logged.entities.keys).union(model.entities.keys).sorted().compactMap { entity in
            switch (logged.entities[entity], model.entities[entity]) {
            case (nil, _): EntityDifference(entity: entity, kind: .missingInStore)
            case (_, nil): EntityDifference(entity: entity, kind: .missingInModel)
            case (let fragment?, let hash?):
                fragment.matches(hash)
                    ? nil : EntityDifference(entity: entity, kind: .differentHash)
            }
        }
    }
}

private func base64Bytes(_ text: String) -> [UInt8] {
    Data(base64Encoded: text).map(Array.init) ?? []
}
