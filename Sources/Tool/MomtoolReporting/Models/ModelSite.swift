import Essentials
import MappingInference
import ModelDiffing
import ModelDrawing
import ModelHashing
package import ObjectModel
import XMLReading

/// The documentation of a model as a small site of static pages, which needs no server.
package struct ModelSite {
    /// A page and its name in the folder.
    package struct Page: Sendable, Hashable {
        /// The name of the file.
        package var name: String
        /// The text.
        package var text: String
    }

    private let title: String
    private let version: ModelVersion
    /// What each version changed since the one before it, newest first.
    private let steps: [DiffReport]
    private let diagram: Diagram
    /// The pages of entities by the names of these, which last when entities come and go.
    private let files: [String: String]

    /// Documents a version of a model.
    ///
    /// - Parameters:
    ///   - title: the name of the model.
    ///   - version: the version whose entities are shown.
    ///   - steps: what each version changed since the one before it, oldest first.
    package init(title: String, version: ModelVersion, steps: [DiffReport]) {
        (self.title, self.version) = (title, version)
        self.steps = steps.reversed()
        var diagram = Diagram(version.model)
        diagram.title = "\(title): \(version.name)"
        self.diagram = diagram
        files = Self.files(of: version.model.entities.map(\.name))
    }

    /// The pages, the first one to be opened first.
    package var pages: [Page] {
        [index, versions]
            + version.model.entities.compactMap { entity in
                files[entity.name].map { Page(name: $0, text: text(of: entity)) }
            }
    }

    /// Names of entities may be anything; those of files hold letters and figures, differ where case does not count, and
    /// hang on the entity alone, so that links last.
    private static func files(of names: [String]) -> [String: String] {
        let alike = Dictionary(grouping: Set(names)) { $0.lowercased() }
        let files = Set(names).map { name in
            let isPlain = name.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "_")
            }
            let isUnmistakable =
                isPlain && 1...100 ~= name.utf8.count && alike[name.lowercased()]?.count == 1
            let digits = sha256(Array(name.utf8)).hex.prefix(12)
            return (name, "entity-\(isUnmistakable ? name : "-" + digits).html")
        }
        return Dictionary(files) { first, _ in first }
    }

    /// Whether a text is a page of such a site.
    package static func isPage(_ text: String) -> Bool { text.contains(menuEnd) }

    /// The end of the menu, which every page has.
    private static let menuEnd = "<a href=\"versions.html\">Versions</a></nav>"

    private func link(_ entity: String?) -> String {
        guard let entity else { return "<span class=\"removed\">none</span>" }
        return files[entity].map { "<a href=\"\($0)\">\(markup(entity))</a>" }
            ?? markup(entity)
    }

    private func site(_ heading: String, _ body: String) -> String {
        let menu = """
            <nav><a href="index.html">\(markup(title))</a>
            \(Self.menuEnd)
            """
        return page(
            title: heading,
            description: "\(title), version \(version.name)",
            style: pictureStyle + siteStyle + verdictStyle,
            body: menu + "\n" + body,
            script: pictureScript
        )
    }

    private var index: Page {
        let items = version.model.entities.map { entity in
            let names = entity.propertyNames.map { markup($0) }.joined(separator: ", ")
            return "<li>\(link(entity.name))"
                + " <span class=\"faint\">\(names)</span></li>"
        }
        let body = """
            <p class="faint">Version \(markup(version.name)), checksum
            <code>\(markup(version.checksum))</code></p>
            \(pictureFrame(diagram))
            <h2>\(version.model.entities.count.counted("entity"))</h2>
            <input type="search" placeholder="Find an entity or a property" aria-label="Find">
            <ul class="names">
            \(items.joined(separator: "\n"))
            </ul>
            """
        return Page(name: "index.html", text: site(title, body))
    }

    private var versions: Page {
        let parts = steps.map { step in
            let judgements = step.mapping.judgements.filter { !$0.change.isOfDocument }
            return """
                <h2>\(markup(step.to.name))</h2>
                <p><b>\(markup(step.headline))</b>, since \(markup(step.from.name))<br>
                <code>\(markup(step.to.checksum))</code></p>
                \(verdictButtons(judgements))
                \(groupedItems(judgements, step) { files[$0] })
                """
        }
        let none = "<p>There is one version, which changed nothing yet.</p>"
        let body = parts.isEmpty ? none : parts.joined(separator: "\n")
        return Page(
            name: "versions.html",
            text: site("\(title): versions", body)
        )
    }
}

// The page of an entity.
extension ModelSite {
    private func text(of entity: Entity) -> String {
        let picture = diagram.around([entity.name], depth: 1).rows(of: [entity.name])
        let children = version.model.entities.filter { $0.parentEntity == entity.name }
        let facts = [
            ("Class", entity.className.map { markup($0) }),
            ("Parent", entity.parentEntity.map(link)),
            ("Abstract", entity.isAbstract ? "yes" : nil),
            (
                "Sub-entities",
                children.isEmpty ? nil : children.map { link($0.name) }.joined(separator: ", ")
            ),
            (
                "Unique",
                list(entity.uniquenessConstraints.map { $0.properties.joined(separator: " + ") })
            ),
            ("Indexes", list(entity.fetchIndexes.map(\.name))),
            ("Renamed from", entity.renamingIdentifier.map { markup($0) }),
            ("User info", userInfo(entity.userInfo)),
        ].compactMap { name, text in text.map { [name, $0] } }
        let parts = [
            table(nil, facts), attributes(of: entity), relationships(of: entity),
            fetched(by: entity), pictureFrame(picture),
        ]
        return site(entity.name, parts.joined(separator: "\n"))
    }

    private func attributes(of entity: Entity) -> String {
        let rows = entity.attributes.map { attribute in
            let report = AttributeReport(attribute)
            let flags = [
                attribute.isTransient ? "transient" : nil,
                attribute.derivation.map { "derived: \($0.expression)" },
                attribute.validation.words,
                attribute.allowsExternalBinaryDataStorage ? "external storage" : nil,
                attribute.renamingIdentifier.map { "renamed from \($0)" },
            ].compactMap(\.self).map { markup($0) }
            return [
                "<code>\(markup(attribute.name))</code>", markup(report.type),
                attribute.isOptional ? "yes" : "no",
                attribute.defaultValue.map { "<code>\(markup($0.description))</code>" } ?? "",
                (flags + [userInfo(attribute.userInfo)].compactMap(\.self)).joined(
                    separator: "<br>"
                ),
            ]
        }
        return rows.isEmpty
            ? ""
            : "<h2>Attributes</h2>"
                + table(["Name", "Type", "Optional", "Default", "Further"], rows)
    }

    private func relationships(of entity: Entity) -> String {
        let rows = entity.relationships.map { relationship in
            let count =
                relationship.isToMany ? (relationship.isOrdered ? "ordered" : "many") : "one"
            return [
                "<code>\(markup(relationship.name))</code>", link(relationship.destinationEntity),
                count, relationship.isOptional ? "yes" : "no",
                relationship.inverseName.map { "<code>\(markup($0))</code>" } ?? "none",
                relationship.deleteRule.sourceName, userInfo(relationship.userInfo) ?? "",
            ]
        }
        let heading = [
            "Name", "Destination", "Count", "Optional", "Inverse", "Delete rule", "Further",
        ]
        return rows.isEmpty ? "" : "<h2>Relationships</h2>" + table(heading, rows)
    }

    private func fetched(by entity: Entity) -> String {
        let rows = entity.fetchedProperties.map { property in
            [
                "<code>\(markup(property.name))</code>", link(property.fetchRequest?.entity),
                "<code>\(markup(property.fetchRequest?.predicate ?? ""))</code>",
            ]
        }
        return rows.isEmpty
            ? "" : "<h2>Fetched properties</h2>" + table(["Name", "Entity", "Predicate"], rows)
    }

    private func list(_ texts: [String]) -> String? {
        texts.isEmpty ? nil : texts.map { "<code>\(markup($0))</code>" }.joined(separator: ", ")
    }

    /// User info as text: what the authors of the model wrote about it.
    private func userInfo(_ entries: [UserInfoEntry]) -> String? {
        let lines = entries.map { "<b>\(markup($0.key))</b>: \(markup($0.value))" }
        return lines.isEmpty ? nil : lines.joined(separator: "<br>")
    }

    /// A table of cells that are markup already; on a narrow screen it is moved sideways.
    private func table(_ heading: [String]?, _ rows: [[String]]) -> String {
        guard !rows.isEmpty else { return "" }
        let head = heading.map { names in
            "<thead><tr>" + names.map { "<th>\($0)</th>" }.joined() + "</tr></thead>"
        }
        let body = rows.map { "<tr>" + $0.map { "<td>\($0)</td>" }.joined() + "</tr>" }
        return "<div class=\"table\"><table>\(head ?? "")<tbody>\n\(body.joined(separator: "\n"))\n"
            + "</tbody></table></div>"
    }
}

private let siteStyle = """

    body { max-width: 76rem; margin: 1rem auto; padding: 0 1rem; }
    nav { display: flex; gap: 1rem; border-bottom: 1px solid var(--line); padding-bottom: .5rem; }
    .table { overflow-x: auto;
      background: linear-gradient(to right, var(--paper) 1.5rem, transparent) local,
        linear-gradient(to left, var(--paper) 1.5rem, transparent) right / 3rem 100% no-repeat local,
        linear-gradient(to right, var(--line), transparent 1rem),
        linear-gradient(to left, var(--line), transparent 1rem) right / 3rem 100% no-repeat; }
    td:first-child code { white-space: nowrap; } .drawing { margin: 1rem 0; } .picture { height: 60vh; }
    input[type=search] { width: 100%; box-sizing: border-box; }
    .names { padding: 0; } .names li { padding: .2rem 0; overflow-wrap: anywhere; }
    """
