import Diagnostics
import ModelChecking
import ModelLoading
import Momtool
import ObjectModel
import SettingsFiles

extension ProjectCheck {
    /// Warns of code that loses stores whatever their model is.
    func faultsOfApp(below folder: String) -> [Finding] {
        let options = (try? settings(for: folder))?.check ?? CheckOptions()
        return heeded(appFaults(below: folder).map { Finding($0) }, [], options)
    }

    /// Warns of entities whose class Core Data does not find by the name that the model has, as it is one of Swift.
    func unfoundClasses(of bundle: ModelBundle) -> [Finding] {
        guard let version = bundle.currentVersion, !contents.classes.isEmpty else { return [] }
        return version.model.entities.compactMap { entity in
            // A class that Xcode writes has its name in Objective-C.
            guard let name = entity.className, let place = contents.classes[name],
                entity.sourceSettings["codeGenerationType"] != "class"
            else { return nil }
            let diagnostic = Diagnostic(
                "class-not-found",
                "Core Data finds no class '\(name)' and makes plain NSManagedObjects of '\(entity.name)': it is one of "
                    + "Swift, whose name begins with that of its module",
                severity: .warning,
                at: entity.source.location(of: "representedClassName"),
                element: entity.name,
                notes: [
                    Diagnostic.Note(
                        "write @objc(\(name)) before the class, or choose its module in the model editor: '.\(name)'",
                        at: place
                    )
                ]
            )
            return Finding(diagnostic, version: version.name)
        }
    }
}
