package import struct Essentials.Data

extension KeyedArchive {
    /// The archive as a binary property list; equal archives give equal bytes.
    ///
    /// Each class of objects is recorded once, after the objects, unless the archive already has it.
    package var binaryData: Data {
        var writer = ArchiveWriter(objects: objects)
        return writer.data(objects: objects, top: top)
    }
}

private struct ArchiveWriter {
    /// The keys of some objects of one class, with the order in which they are written.
    private struct Shape {
        var classRecord: KeyedArchive.ClassRecord
        var classIndex: Int
        var keys: [String]
        /// The indexes of the keys in their order, `$class` as the count of them.
        var order: [Int]
        /// The written indexes of the keys, with equal space for those of the values.
        var contents: [UInt32]
    }

    private var writer: BinaryWriter
    private var classIndexes: [KeyedArchive.ClassRecord: Int] = [:]
    private var shapes: [Shape] = []
    /// The indexes in `shapes` for the objects of a class, by its name.
    private var shapesOfClass: [String: [Int]] = [:]
    private var lastShape: Int?
    private var addedClasses: [KeyedArchive.ClassRecord] = []
    private let objectCount: Int

    init(objects: [KeyedArchive.Object]) {
        objectCount = objects.count
        writer = BinaryWriter(expectingObjects: objects.count)
        for (index, object) in objects.enumerated() {
            if case .classRecord(let record) = object, classIndexes[record] == nil {
                classIndexes[record] = index
            }
        }
    }

    mutating func data(objects: [KeyedArchive.Object], top: [String: KeyedArchive.Value]) -> Data {
        let root = writer.reserve()
        let keys = ["$archiver", "$objects", "$top", "$version"].map { writer.addString($0) }
        let archiver = writer.addString("NSKeyedArchiver")
        let list = writer.reserve()
        var contents: [Int] = []
        contents.reserveCapacity(objects.count + 16)
        for index in objects.indices { contents.append(add(objects[index])) }
        contents += addedClasses.map { add($0) }
        writer.fill(list, marker: 0xA0, contents: contents)
        let topIndex = writer.add(.dictionary(top.mapValues(\.propertyList)))
        let version = writer.add(.integer(100_000))
        writer.fill(root, marker: 0xD0, contents: keys + [archiver, list, topIndex, version])
        return writer.data
    }

    private mutating func add(_ object: KeyedArchive.Object) -> Int {
        switch object {
        case .null: return writer.addString("$null")
        case .plain(let value): return writer.add(value)
        case .classRecord(let record): return add(record)
        case .instance(let instance): return add(instance)
        }
    }

    private mutating func add(_ instance: KeyedArchive.Instance) -> Int {
        let values = instance.values
        let shape = shapes[shape(of: instance)]
        let (index, start) = writer.addDictionary(shape.contents)
        for (offset, place) in shape.order.enumerated() {
            let value = place < values.count ? add(values.values[place]) : shape.classIndex
            writer.put(value, at: start + shape.order.count + offset)
        }
        return index
    }

    private mutating func add(_ record: KeyedArchive.ClassRecord) -> Int {
        let index = writer.reserve()
        let keys = [writer.addString("$classes"), writer.addString("$classname")]
        let chain = writer.reserve()
        writer.fill(chain, marker: 0xA0, contents: record.chain.map { writer.addString($0) })
        let name = writer.addString(record.name)
        writer.fill(index, marker: 0xD0, contents: keys + [chain, name])
        return index
    }

    /// Finds the index in `shapes` for an object; consecutive ones often have the same.
    private mutating func shape(of instance: KeyedArchive.Instance) -> Int {
        if let lastShape, isShape(lastShape, of: instance) { return lastShape }
        let known = shapesOfClass[instance.classRecord.name]?.first { isShape($0, of: instance) }
        let shape = known ?? newShape(of: instance)
        lastShape = shape
        return shape
    }

    private mutating func add(_ value: KeyedArchive.Value) -> Int {
        switch value {
        case .reference(let reference): return writer.addUID(UInt32(clamping: reference.index))
        case .references(let references):
            return writer.addUIDs(references.lazy.map { UInt32(clamping: $0.index) })
        case .plain(let value): return writer.add(value)
        }
    }

    private func isShape(_ place: Int, of instance: KeyedArchive.Instance) -> Bool {
        shapes[place].keys == instance.values.keys
            && shapes[place].classRecord == instance.classRecord
    }

    private mutating func newShape(of instance: KeyedArchive.Instance) -> Int {
        let keys = instance.values.keys
        let all = keys + ["$class"]
        let order = all.indices.sorted { precedes(all[$0], all[$1]) }
        let indexes = order.map { UInt32(truncatingIfNeeded: writer.addString(all[$0])) }
        shapes.append(
            Shape(
                classRecord: instance.classRecord,
                classIndex: writer.addUID(classNumber(of: instance.classRecord)),
                keys: keys,
                order: order,
                contents: indexes + indexes
            )
        )
        // Objects of one class have few shapes; searching more would not pay.
        if shapesOfClass[instance.classRecord.name]?.count ?? 0 < 16 {
            shapesOfClass[instance.classRecord.name, default: []].append(shapes.count - 1)
        }
        return shapes.count - 1
    }

    private mutating func classNumber(of record: KeyedArchive.ClassRecord) -> UInt32 {
        if let index = classIndexes[record] { return UInt32(clamping: index) }
        let index = objectCount + addedClasses.count
        classIndexes[record] = index
        addedClasses.append(record)
        return UInt32(clamping: index)
    }
}

extension KeyedArchive.Value {
    fileprivate var propertyList: PropertyList {
        switch self {
        case .reference(let reference): .uid(UInt32(clamping: reference.index))
        case .references(let references):
            .array(references.map { .uid(UInt32(clamping: $0.index)) })
        case .plain(let value): value
        }
    }
}
