import Diagnostics
import MappingInference
import ModelDiffing
import ModelDrawing
import ModelHashing
import ObjectModel
import XMLReading

/// Writes a comparison as a page: the diagram with what became of everything, the list beside it.
func comparisonPage(_ report: DiffReport) -> String {
    let items = report.mapping.judgements.map { item($0, report) }.joined(separator: "\n")
    let refusals = report.mapping.refusals.map { refusal in
        "<li class=\"removed\"><b>\(markup(refusal.path ?? "model"))</b> \(markup(refusal.text))"
            + "<br><span class=\"faint\">\(markup(refusal.cure))</span></li>"
    }
    let asked = report.diff.diagnostics.map { "<li>\(markup($0.message))</li>" }
    let moved = report.diff.movedEntities.map { "<code>\(markup($0))</code>" }
    let body = """
        <p class="\(report.mapping.verdict.colour)"><b>\(markup(report.headline))</b></p>
        <p class="faint"><code>\(markup(report.from.checksum))</code> →
        <code>\(markup(report.to.checksum))</code></p>
        <div class="sides">
        <div class="picture">
        \(report.diagram.svg)
        </div>
        <div class="list">
        \(section("Core Data infers no mapping", refusals))
        \(section("Asked about", asked))
        <h2>\(report.mapping.judgements.count) changes</h2>
        <ul>
        \(items)
        </ul>
        \(moved.isEmpty ? "" : "<h2>Entity hashes that move</h2><p>\(moved.joined(separator: ", "))</p>")
        </div>
        </div>
        """
    return page(
        title: "\(report.from.name) → \(report.to.name)",
        style: comparisonStyle,
        body: body
    )
}

private func section(_ title: String, _ items: [String]) -> String {
    guard !items.isEmpty else { return "" }
    return "<h2>\(title)</h2>\n<ul>\n\(items.joined(separator: "\n"))\n</ul>"
}

private func item(_ judgement: Judgement, _ report: DiffReport) -> String {
    let queries = report.queries(for: judgement).map { "<br><code>\(markup($0))</code>" }.joined()
    let cure = judgement.cure.map { "<br><span class=\"faint\">\(markup($0))</span>" } ?? ""
    return """
        <li><b>\(markup(judgement.change.subject.path ?? "model"))</b> \
        \(markup(judgement.change.words.line))<br>\
        <span class="\(judgement.verdict.colour)">\(markup(judgement.verdict.words))</span>: \
        \(markup(judgement.effect))\(queries)\(cure)</li>
        """
}

extension Verdict {
    /// The class that colours the verdict.
    fileprivate var colour: String {
        switch self {
        case .noEffectOnHash: "faint"
        case .lightweight, .lightweightThoughUndocumented: "added"
        case .dependsOnRows: "changed"
        case .losesData, .needsCustomStage, .impossible: "removed"
        }
    }
}

private let comparisonStyle = """
    .sides { display: flex; flex-wrap: wrap; gap: 2rem; align-items: flex-start; }
    .picture { flex: 3 1 36rem; overflow: auto; max-height: 90vh; border: 1px solid var(--line);
      border-radius: 8px; }
    .picture svg { display: block; }
    .list { flex: 2 1 24rem; min-width: 0; }
    .list ul { padding-left: 1.1rem; } .list li { margin-bottom: .7rem; overflow-wrap: anywhere; }
    """
