import Diagnostics
import MappingInference
import ModelDiffing
import ModelHashing
import ObjectModel

func jsonObject(_ report: DiffReport) -> JSONObject {
    let (diff, mapping) = (report.diff, report.mapping)
    let removedCases = report.enumFindings.map(\.worded.message)
    return [
        "from": jsonObject(report.from), "to": jsonObject(report.to),
        "oneStore": report.fit.map(jsonObject), "verdict": mapping.verdict.identifier,
        "isEmpty": diff.isEmpty, "movedEntities": diff.movedEntities,
        "changes": mapping.judgements.map { jsonObject($0, report.queries(for: $0)) },
        "refusals": mapping.refusals.map(jsonObject),
        "suspectedRenames": diff.suspicions.map(jsonObject),
        "meant": report.meant.isEmpty ? nil : report.meant,
        "removedCases": removedCases.isEmpty ? nil : removedCases,
    ]
}

private func jsonObject(_ version: ModelVersion) -> JSONObject {
    ["name": version.name, "checksum": version.checksum]
}

private func jsonObject(_ fit: StoreFit) -> JSONObject {
    [
        "opens": fit.opensOneStore,
        "equal": fit.entities.filter { $0.relation == .equal }.map(\.name),
        "unequal": fit.entities.filter { $0.relation != .equal }.map(\.name),
    ]
}

private func jsonObject(_ judgement: Judgement, _ queries: [String]) -> JSONObject {
    let change = judgement.change
    let words = change.words
    return [
        "element": change.subject.path, "change": words.what, "from": words.from, "to": words.to,
        "rule": judgement.rule, "verdict": judgement.verdict.identifier,
        "movesHash": change.movesVersionHash, "effect": judgement.effect,
        "evidence": judgement.evidence.rawValue, "cure": judgement.cure,
        "queries": queries.isEmpty ? nil : queries, "cloudKit": judgement.cloudKit.map(jsonObject),
        "fromPlace": change.fromLocation, "toPlace": change.toLocation,
    ]
}

private func jsonObject(_ ruling: CloudKitRuling) -> JSONObject {
    [
        "verdict": ruling.verdict.rawValue, "effect": ruling.effect,
        "evidence": ruling.evidence.rawValue,
    ]
}

private func jsonObject(_ refusal: Refusal) -> JSONObject {
    [
        "rule": refusal.rule, "code": refusal.code?.number, "reason": refusal.reason,
        "evidence": refusal.evidence.rawValue, "element": refusal.path, "cure": refusal.cure,
    ]
}

private func jsonObject(_ rename: RenameSuspicion) -> JSONObject {
    [
        "entity": rename.entity, "from": rename.from, "to": rename.to,
        "elementID": rename.elementID, "place": rename.toSource.element,
    ]
}
