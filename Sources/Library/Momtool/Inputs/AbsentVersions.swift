import Diagnostics
package import ModelLoading

extension [ModelBundle.UnreadableVersion] {
    /// Why it is not known which version wrote a store that is of none of those that can be read; `nil` where all can be.
    package func fault(of store: String) -> MomtoolError? {
        guard !isEmpty else { return nil }
        let names = map { "'\($0.name)'" }.joined(separator: ", ")
        let message =
            "the store is of no version that can be read; it may be of \(names), which cannot be"
        return MomtoolError(.badData, store, message, "unread-store-version")
    }
}
