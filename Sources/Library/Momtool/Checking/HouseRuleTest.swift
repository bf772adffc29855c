package import Diagnostics
import FoundationEssentials
package import ModelChecking
import ModelLoading
import ObjectModel

extension HouseRule {
    /// Tests the rule on its examples; returns those that cannot be read, or that contradict the rule.
    package func faults() -> [Diagnostic] {
        passes.flatMap { fault(of: $0, breaks: false) }
            + fails.flatMap { fault(of: $0, breaks: true) }
    }

    private func fault(of example: Example, breaks: Bool) -> [Diagnostic] {
        var versions: [ModelVersion] = []
        for (index, body) in example.versions.enumerated() {
            let name = "V\(index + 1)"
            let text = "<model documentVersion=\"1.0\">\(body)</model>"
            let read = readModel(contents: Data(text.utf8), path: name)
            if let fault = read.diagnostics.first(where: { $0.severity == .error }) {
                return [finding("the example cannot be read: \(fault.message)", example)]
            }
            let isLast = index + 1 == example.versions.count
            versions.append(
                ModelVersion(name: name, path: name, isCurrent: isLast, model: read.value)
            )
        }
        let breaches = breaches(in: versions)
        if breaks {
            return breaches.isEmpty
                ? [finding("'\(id.rawValue)' should report this example of 'fails'", example)]
                : []
        }
        return breaches.prefix(1).map {
            finding("'\(id.rawValue)' should pass this, but reports: \($0.message)", example)
        }
    }

    private func finding(_ message: String, _ example: Example) -> Diagnostic {
        Diagnostic("house-rule-example", message, at: example.location)
    }
}
