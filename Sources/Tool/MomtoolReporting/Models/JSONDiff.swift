import Diagnostics
import MappingInference
import ModelDiffing
import ModelHashing
import ObjectModel

struct JSONDiff: Encodable {
    struct Side: Encodable {
        var name: String
        var checksum: String
    }

    struct Place: Encodable {
        var path: String
        var line: Int?
        var column: Int?

        init(_ location: FileLocation) {
            path = location.path
            line = location.line
            column = location.column
        }
    }

    struct Change: Encodable {
        var element: String?
        var change: String
        var from: String?
        var to: String?
        var rule: String
        var verdict: String
        var movesHash: Bool
        var effect: String
        var evidence: String
        var cure: String?
        var queries: [String]?
        var cloudKit: CloudKit?
        var fromPlace: Place?
        var toPlace: Place?
    }

    struct CloudKit: Encodable {
        var verdict: String
        var effect: String
        var evidence: String

        init(_ ruling: CloudKitRuling) {
            verdict = ruling.verdict.rawValue
            effect = ruling.effect
            evidence = ruling.evidence.rawValue
        }
    }

    struct Refused: Encodable {
        var rule: String
        var code: Int?
        var reason: String
        var evidence: String
        var element: String?
        var cure: String
    }

    struct Rename: Encodable {
        var entity: String?
        var from: String
        var to: String
        var elementID: String
        var place: Place?
    }

    struct Fit: Encodable {
        var opens: Bool
        var equal: [String]
        var unequal: [String]

        init(_ fit: StoreFit) {
            opens = fit.opensOneStore
            equal = fit.entities.filter { $0.relation == .equal }.map(\.name)
            unequal = fit.entities.filter { $0.relation != .equal }.map(\.name)
        }
    }

    var from: Side
    var to: Side
    var oneStore: Fit?
    var verdict: String
    var isEmpty: Bool
    var movedEntities: [String]
    var changes: [Change]
    var refusals: [Refused]
    var suspectedRenames: [Rename]
    var meant: [String]?
    /// The values of enums that no case has any more.
    var removedCases: [String]?

    init(_ report: DiffReport) {
        from = Side(name: report.from.name, checksum: report.from.checksum)
        to = Side(name: report.to.name, checksum: report.to.checksum)
        oneStore = report.fit.map { Fit($0) }
        verdict = report.mapping.verdict.identifier
        isEmpty = report.diff.isEmpty
        meant = report.meant.isEmpty ? nil : report.meant
        removedCases =
            report.enumFindings.isEmpty ? nil : report.enumFindings.map(\.worded.message)
        movedEntities = report.diff.movedEntities
        changes = report.mapping.judgements.map { judgement in
            let words = judgement.change.words
            let queries = report.queries(for: judgement)
            return Change(
                element: judgement.change.subject.path,
                change: words.what,
                from: words.from,
                to: words.to,
                rule: judgement.rule.rawValue,
                verdict: judgement.verdict.identifier,
                movesHash: judgement.change.movesVersionHash,
                effect: judgement.effect,
                evidence: judgement.evidence.rawValue,
                cure: judgement.cure,
                queries: queries.isEmpty ? nil : queries,
                cloudKit: judgement.cloudKit.map(CloudKit.init),
                fromPlace: judgement.change.fromLocation.map(Place.init),
                toPlace: judgement.change.toLocation.map(Place.init)
            )
        }
        refusals = report.mapping.refusals.map { refusal in
            Refused(
                rule: refusal.rule.rawValue,
                code: refusal.code?.number,
                reason: refusal.reason,
                evidence: refusal.evidence.rawValue,
                element: refusal.path,
                cure: refusal.cure
            )
        }
        suspectedRenames = report.diff.suspicions.map { suspicion in
            Rename(
                entity: suspicion.entity,
                from: suspicion.from,
                to: suspicion.to,
                elementID: suspicion.elementID,
                place: suspicion.toSource.element.map(Place.init)
            )
        }
    }
}
