#import "Acceptance.h"

NSDictionary *HashesOf(NSManagedObjectModel *model) {
    NSMutableDictionary *hashes = [NSMutableDictionary dictionary];
    NSDictionary *own = model.entityVersionHashesByName;
    for (NSString *name in own) {
        hashes[name] = [(NSData *)own[name] base64EncodedStringWithOptions:0];
    }
    return hashes;
}

/// The checksum of a version; `nil` on systems before macOS 14, which have none.
static NSString *ChecksumOf(NSManagedObjectModel *model) {
    SEL selector = NSSelectorFromString(@"versionChecksum");
    return [model respondsToSelector:selector] ? [model valueForKey:@"versionChecksum"] : nil;
}

NSManagedObjectModel *CompiledByApple(Kit *kit, NSString *source) {
    NSURL *output = [kit newURL:@"Apple.mom"];
    NSArray *arguments = @[ @"momc", [[kit URLOf:source] path], [output path] ];
    if (!OutputOf(@"/usr/bin/xcrun", arguments)) { return nil; }
    return [[NSManagedObjectModel alloc] initWithContentsOfURL:output];
}

/// Tables, indexes and triggers of a new store that Core Data makes; `nil` where they cannot be read.
static NSArray *LayoutOf(Kit *kit, NSString *path, NSString **note) {
    NSManagedObjectModel *model = [kit plainModel:path];
    NSPersistentStoreCoordinator *coordinator =
        [[NSPersistentStoreCoordinator alloc] initWithManagedObjectModel:model];
    NSURL *url = [kit newURL:@"Empty.sqlite"];
    NSError *error = nil;
    NSPersistentStore *store = [coordinator addPersistentStoreWithType:NSSQLiteStoreType
                                                         configuration:nil
                                                                   URL:url
                                                               options:nil
                                                                 error:&error];
    if (!store) {
        *note = NoteOfError(error);
        return nil;
    }
    [coordinator removePersistentStore:store error:NULL];
    NSString *query = @"SELECT json_group_array(type || ' ' || name || ': ' || ifnull(sql, '')) FROM "
                      @"(SELECT type, name, sql FROM sqlite_master "
                      @"WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name)";
    NSString *text = OutputOf(@"/usr/bin/sqlite3", @[ [url path], query ]);
    NSData *data = [text dataUsingEncoding:NSUTF8StringEncoding];
    id lines = data ? [NSJSONSerialization JSONObjectWithData:data options:0 error:NULL] : nil;
    if (![lines isKindOfClass:[NSArray class]]) {
        *note = @"/usr/bin/sqlite3 cannot read the store";
        return nil;
    }
    return lines;
}

/// The renaming identifiers that differ from the names, of entities and of what they declare themselves.
static NSDictionary *RenamingsOf(NSManagedObjectModel *model) {
    NSMutableDictionary *renamings = [NSMutableDictionary dictionary];
    for (NSEntityDescription *entity in model.entities) {
        if (entity.renamingIdentifier && ![entity.renamingIdentifier isEqualToString:entity.name]) {
            renamings[entity.name] = entity.renamingIdentifier;
        }
        for (NSPropertyDescription *property in entity.properties) {
            NSString *identifier = property.renamingIdentifier;
            if (!identifier || [identifier isEqualToString:property.name]) { continue; }
            // What is inherited is listed where it is declared.
            if (entity.superentity.propertiesByName[property.name]) { continue; }
            NSString *name = [NSString stringWithFormat:@"%@.%@", entity.name, property.name];
            renamings[name] = identifier;
        }
    }
    return renamings;
}

void CheckModel(Kit *kit, NSDictionary *item, Recorder record) {
    NSManagedObjectModel *model = [kit model:item[@"compiled"]];
    record(@"loads", @(model != nil), nil);
    if (!model) { return; }
    record(@"entity-hashes", HashesOf(model), nil);
    NSString *checksum = ChecksumOf(model);
    record(@"checksum", checksum, checksum ? nil : @"this system has no version checksums");
    @try {
        NSString *note = nil;
        NSArray *layout = LayoutOf(kit, item[@"compiled"], &note);
        record(@"layout", layout, note);
    } @catch (NSException *exception) {
        record(@"layout", [exception name], [exception reason]);
    }
    NSString *source = item[@"source"];
    if (!source) { return; }
    NSManagedObjectModel *own = CompiledByApple(kit, source);
    NSString *reason = own ? nil : @"momc is not there, or refuses the source";
    record(@"momc-hashes", own ? HashesOf(own) : nil, reason);
    record(@"momc-renamings", own ? RenamingsOf(own) : nil, reason);
    record(@"equals-momc", own ? @([own isEqual:model]) : nil, reason);
}

void CheckStep(Kit *kit, NSDictionary *item, Recorder record) {
    NSManagedObjectModel *from = [kit model:item[@"from"]];
    NSManagedObjectModel *to = [kit model:item[@"to"]];
    if (!from || !to) {
        record(@"inference", nil, @"a model of the step cannot be loaded");
        return;
    }
    NSError *error = nil;
    NSMappingModel *mapping = nil;
    @try {
        mapping = [NSMappingModel inferredMappingModelForSourceModel:from
                                                    destinationModel:to
                                                               error:&error];
    } @catch (NSException *exception) {
        record(@"inference", [exception name], [exception reason]);
        return;
    }
    record(@"inference", mapping ? @"inferred" : WordsOfError(error), NoteOfError(error));
    if (!mapping) { return; }
    NSMutableArray *names = [NSMutableArray array];
    for (NSEntityMapping *each in mapping.entityMappings) {
        [names addObject:each.name ? each.name : @""];
    }
    record(@"mapping", [names sortedArrayUsingSelector:@selector(compare:)], nil);
}
