extension RuleExample {
    /// A model of two versions in an Xcode project, which lists versions, has a current one, and a target that compiles
    /// a bundle.
    ///
    /// `mark` is the sign for the location of a finding, which is the version group's.
    static func inProject(
        listing listed: [String] = ["V1", "V2"],
        current: String = "V2",
        target: String = "B1",
        mark: String = ""
    ) -> RuleExample {
        func entity(_ names: String...) -> String {
            let attributes = names.map {
                "<attribute name='\($0)' optional='YES' attributeType='String'/>"
            }
            return "<entity name='A'>\(attributes.joined())</entity>"
        }
        let files = listed.map { version in
            "\(version) = {isa = PBXFileReference; path = \(version).xcdatamodel; sourceTree = \"<group>\"; };"
        }
        return RuleExample(
            entity("a"),
            entity("a", "b"),
            project: """
                // !$*UTF8*$!
                { objects = {
                    \(files.joined(separator: "\n    "))
                    \(mark)A0 = {isa = XCVersionGroup; children = (\(listed.joined(separator: ", ")));
                        currentVersion = \(current); path = M.xcdatamodeld; sourceTree = SOURCE_ROOT; };
                    B1 = {isa = PBXBuildFile; fileRef = A0; };
                    C1 = {isa = PBXSourcesBuildPhase; files = (\(target)); };
                    D1 = {isa = PBXNativeTarget; buildPhases = (C1); };
                }; }
                """
        )
    }
}
