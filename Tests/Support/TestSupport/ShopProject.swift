/// An Xcode project that lists the versions of Shop.xcdatamodeld, the last of them the current one.
package func shopProject(_ versions: [String]) -> String {
    let files = versions.enumerated().map { index, version in
        let name = "\(version).xcdatamodel"
        let path = name.contains(" ") ? "\"\(name)\"" : name
        return (key: "AA00000000000000000001\(index + 10) /* \(name) */", path: path)
    }
    let references = files.map { file in
        "\t\t\(file.key) = {isa = PBXFileReference; lastKnownFileType = wrapper.xcdatamodel; "
            + "path = \(file.path); sourceTree = \"<group>\"; };"
    }
    let children = files.reversed().map { "\t\t\t\t\($0.key)," }
    return """
        // !$*UTF8*$!
        {
        \tobjects = {

        /* Begin PBXFileReference section */
        \(references.joined(separator: "\n"))
        /* End PBXFileReference section */

        /* Begin PBXGroup section */
        \t\tAA0000000000000000000004 = {
        \t\t\tisa = PBXGroup;
        \t\t\tchildren = (
        \t\t\t\tAA0000000000000000000001 /* Shop.xcdatamodeld */,
        \t\t\t);
        \t\t\tsourceTree = "<group>";
        \t\t};
        /* End PBXGroup section */

        /* Begin PBXProject section */
        \t\tAA0000000000000000000005 /* Project object */ = {
        \t\t\tisa = PBXProject;
        \t\t\tmainGroup = AA0000000000000000000004;
        \t\t\ttargets = (
        \t\t\t);
        \t\t};
        /* End PBXProject section */

        /* Begin XCVersionGroup section */
        \t\tAA0000000000000000000001 /* Shop.xcdatamodeld */ = {
        \t\t\tisa = XCVersionGroup;
        \t\t\tchildren = (
        \(children.joined(separator: "\n"))
        \t\t\t);
        \t\t\tcurrentVersion = \(files.last?.key ?? "");
        \t\t\tpath = Shop.xcdatamodeld;
        \t\t\tsourceTree = "<group>";
        \t\t\tversionGroupType = wrapper.xcdatamodel;
        \t\t};
        /* End XCVersionGroup section */
        \t};
        \trootObject = AA0000000000000000000005 /* Project object */;
        }

        """
}
