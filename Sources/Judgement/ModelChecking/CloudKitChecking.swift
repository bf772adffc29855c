package import Diagnostics
import MappingInference
package import ObjectModel

/// Checks a version against the rules for models that are used with CloudKit, whether it is marked for it or not.
///
/// `reported` are other findings on the version and its schema, which can be ignored as the rest.
package func checkForCloudKit(
    _ version: ModelVersion,
    isMirrored: (String) -> Bool,
    reported: [Diagnostic],
    options: CheckOptions = CheckOptions()
) -> [Finding] {
    var model = version.model
    model.documentSettings["usedWithCloudKit"] = nil
    model.configurations = [
        Configuration(
            name: "",
            memberEntities: model.entities.map(\.name).filter(isMirrored),
            isUsedWithCloudKit: true
        )
    ]
    let marked = ModelVersion(name: version.name, path: version.path, model: model)
    // What is not understood may well have an inverse or a default.
    let open = version.propertiesWithGaps
    var own = modelFindings(CheckedModel(marked), options, of: .cloudKit).filter { finding in
        finding.diagnostic.element.map { !open.contains("\($0)") } ?? true
    }
    // Lint asks this only of models that are marked, and edits no Swift for it.
    if version.path.hasSuffix(".swift") || version.model.cloudKitEntities.isEmpty {
        for index in own.indices { own[index].fix = nil }
    }
    let unjudged = UnjudgedEntities(version, where: isMirrored).summary.map { [$0] } ?? []
    let all = own + reported.map { Finding($0, version: version.name) } + unjudged
    return settled(all, [version], options)
}
