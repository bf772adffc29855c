import ObjectModel
import Diagnostics
import MappingInference
import ModelDiffing

/// The advice that a report has given, so that a sentence appears once.
struct PrintedAdvice {
    private var printed: Set<String> = []
    /// Agreed losses, which need no advice.
    private let meant: Set<String>

    init(meant: [String]) { self.meant = Set(meant) }

    mutating func new(for judgement: Judgement) -> String? {
        let isMeant = judgement.change.subject.path.map(meant.contains) ?? false
        guard !isMeant || !judgement.verdict.isInferable else { return nil }
        return judgement.cure.flatMap { printed.insert($0).inserted ? $0 : nil }
    }
}

extension DiffReport {
    /// The advice for all possible renames.
    private static let renameAdvice =
        "Each of these may be a rename: if it is, set the renaming identifier of the new one to the old name; "
        + "otherwise the data of the old one is dropped."

    private static let classAdvice =
        "Each of these may be a rename, and SwiftData cannot rename a class: if it is, keep the old name, or move "
        + "the objects in a custom stage; otherwise the data of the old one is dropped."

    /// The questions, with the renames that share one sentence; a single one has its own words.
    var questions: (single: [Diagnostic], groups: [(advice: String, pairs: [RenameSuspicion])]) {
        func key(_ diagnostic: Diagnostic) -> [String] {
            [diagnostic.rule.rawValue, diagnostic.element ?? "", diagnostic.message]
        }
        let suspicions = Dictionary(firstOf: diff.suspicions.map { (key($0.diagnostic), $0) })
        let pairs = renames.compactMap { suspicions[key($0)] }
        let groups = [
            (advice: Self.renameAdvice, pairs: pairs.filter { !$0.isOfClass }),
            (advice: Self.classAdvice, pairs: pairs.filter(\.isOfClass)),
        ].filter { $0.pairs.count > 1 }
        let grouped = Set(groups.flatMap(\.pairs).map { key($0.diagnostic) })
        return (diagnostics.filter { !grouped.contains(key($0)) }, groups)
    }
}
