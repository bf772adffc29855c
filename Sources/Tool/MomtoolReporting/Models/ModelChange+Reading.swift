import ModelDiffing

extension ModelChange {
    /// Whether an app may behave differently, though perhaps no store does: not settings of the document, options of
    /// generated code, and user info.
    var isSeenByCode: Bool {
        switch self {
        case .entityChanged(_, .setting(let setting, _, _)),
            .attributeChanged(_, .setting(let setting, _, _)),
            .relationshipChanged(_, .setting(let setting, _, _)), .setting(let setting, _, _):
            setting.isSeenByCode
        case .entityAdded, .entityRemoved, .entityChanged, .attributeAdded, .attributeRemoved,
            .attributeChanged, .relationshipAdded, .relationshipRemoved, .relationshipChanged,
            .part:
            true
        }
    }
}
