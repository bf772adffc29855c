#import "Acceptance.h"

#include <dlfcn.h>

/// The key of an option that not every system has; `nil` where it is not there.
static NSString *OptionKey(const char *name) {
    void *symbol = dlsym(RTLD_DEFAULT, name);
    return symbol ? *(NSString *__unsafe_unretained *)symbol : nil;
}

/// The options of a store that keeps history, which Core Data opens for reading alone without them.
static NSMutableDictionary *OptionsOf(NSDictionary *item) {
    NSMutableDictionary *options = [NSMutableDictionary dictionary];
    NSString *key = OptionKey("NSPersistentHistoryTrackingKey");
    if (key && [item[@"history"] boolValue]) { options[key] = @(YES); }
    return options;
}

/// A store that was opened, or why it was not.
@interface OpenedStore : NSObject
@property(nonatomic, strong) NSPersistentStoreCoordinator *coordinator;
@property(nonatomic, strong) NSManagedObjectModel *model;
@property(nonatomic, strong) JSONValue outcome;
@property(nonatomic, copy) NSString *note;
@end

@implementation OpenedStore
@end

static OpenedStore *Open(NSURL *url, NSManagedObjectModel *model, NSDictionary *options,
                         NSString *word) {
    OpenedStore *opened = [[OpenedStore alloc] init];
    opened.model = model;
    if (!url || !model) {
        opened.note = @"the store or its model cannot be read";
        return opened;
    }
    NSPersistentStoreCoordinator *coordinator =
        [[NSPersistentStoreCoordinator alloc] initWithManagedObjectModel:model];
    NSError *error = nil;
    @try {
        NSPersistentStore *store = [coordinator addPersistentStoreWithType:NSSQLiteStoreType
                                                             configuration:nil
                                                                       URL:url
                                                                   options:options
                                                                     error:&error];
        opened.coordinator = store ? coordinator : nil;
        opened.outcome = store ? word : WordsOfError(error);
        opened.note = NoteOfError(error);
    } @catch (NSException *exception) {
        opened.outcome = [exception name];
        opened.note = [exception reason];
    }
    return opened;
}

static void RecordObjects(OpenedStore *opened, NSString *check, Recorder record) {
    if (!opened.coordinator) {
        record(check, nil, @"the store is not open");
        return;
    }
    NSManagedObjectContext *context =
        [[NSManagedObjectContext alloc] initWithConcurrencyType:NSMainQueueConcurrencyType];
    context.persistentStoreCoordinator = opened.coordinator;
    NSError *error = nil;
    @try {
        NSDictionary *objects = ObjectsOf(context, opened.model, &error);
        record(check, objects, NoteOfError(error));
    } @catch (NSException *exception) {
        record(check, [exception name], [exception reason]);
    }
}

static void RecordSaving(OpenedStore *opened, Recorder record) {
    if (!opened.coordinator) {
        record(@"saves", nil, @"the store is not open");
        return;
    }
    @try {
        NSString *note = nil;
        JSONValue outcome = SaveInto(opened.coordinator, opened.model, &note);
        record(@"saves", outcome, note);
    } @catch (NSException *exception) {
        record(@"saves", [exception name], [exception reason]);
    }
}

/// Puts the models of a store's way where Core Data looks for the one that made it: into a bundle of this process.
static NSBundle *BundleOf(Kit *kit, NSArray *models) {
    NSString *folder = [[kit newURL:@"Models.bundle"] path];
    NSString *resources = [folder stringByAppendingPathComponent:@"Contents/Resources"];
    NSFileManager *files = [NSFileManager defaultManager];
    [files createDirectoryAtPath:resources
        withIntermediateDirectories:YES
                         attributes:nil
                              error:NULL];
    NSDictionary *info = @{@"CFBundleIdentifier" : @"example.acceptance.models"};
    [info writeToFile:[folder stringByAppendingPathComponent:@"Contents/Info.plist"]
           atomically:YES];
    for (NSString *path in models) {
        NSString *name = [path lastPathComponent];
        [files copyItemAtPath:[[kit URLOf:path] path]
                       toPath:[resources stringByAppendingPathComponent:name]
                        error:NULL];
    }
    return [NSBundle bundleWithPath:folder];
}

static NSMutableDictionary *MigrationOptions(NSDictionary *item) {
    NSMutableDictionary *options = OptionsOf(item);
    options[NSMigratePersistentStoresAutomaticallyOption] = @(YES);
    options[NSInferMappingModelAutomaticallyOption] = @(YES);
    return options;
}

/// A reference to the model of a version, for a custom stage.
static id ReferenceTo(Kit *kit, NSDictionary *version) {
    Class class = NSClassFromString(@"NSManagedObjectModelReference");
    return [[class alloc] initWithModel:[kit model:version[@"model"]]
                        versionChecksum:version[@"checksum"]];
}

/// The stages of an item; `nil` on systems before macOS 14, which have none.
static id ManagerOf(Kit *kit, NSArray *list) {
    Class manager = NSClassFromString(@"NSStagedMigrationManager");
    if (!manager) { return nil; }
    NSMutableArray *stages = [NSMutableArray array];
    for (NSDictionary *stage in list) {
        NSArray *versions = stage[@"versions"];
        if ([stage[@"custom"] boolValue]) {
            id custom = [NSClassFromString(@"NSCustomMigrationStage") alloc];
            [stages addObject:[custom initWithCurrentModelReference:ReferenceTo(kit, versions[0])
                                                 nextModelReference:ReferenceTo(kit, versions[1])]];
            continue;
        }
        NSMutableArray *checksums = [NSMutableArray array];
        for (NSDictionary *version in versions) { [checksums addObject:version[@"checksum"]]; }
        id lightweight = [NSClassFromString(@"NSLightweightMigrationStage") alloc];
        [stages addObject:[lightweight initWithVersionChecksums:checksums]];
    }
    return [[manager alloc] initWithMigrationStages:stages];
}

/// Lets Core Data migrate the old store itself, through the stages where the item has some.
static OpenedStore *Migrate(Kit *kit, NSDictionary *item) {
    NSMutableDictionary *options = MigrationOptions(item);
    NSArray *stages = item[@"stages"];
    if (stages) {
        OpenedStore *failed = [[OpenedStore alloc] init];
        id manager = nil;
        @try {
            manager = ManagerOf(kit, stages);
        } @catch (NSException *exception) {
            failed.outcome = [exception name];
            failed.note = [exception reason];
            return failed;
        }
        NSString *key = OptionKey("NSPersistentStoreStagedMigrationManagerOptionKey");
        if (!manager || !key) {
            failed.note = @"this system has no staged migrations";
            return failed;
        }
        options[key] = manager;
    }
    NSBundle *bundle = BundleOf(kit, item[@"models"]);
    OpenedStore *opened =
        Open([kit copyOfStore:item[@"before"]], [kit plainModel:item[@"to"]], options, @"migrated");
    if (!bundle && !opened.note) { opened.note = @"the bundle of models cannot be made"; }
    return opened;
}

void CheckStore(Kit *kit, NSDictionary *item, Recorder record) {
    NSDictionary *expected = item[@"expected"];
    NSString *before = item[@"before"];
    NSString *after = item[@"after"];
    if (before) {
        // A store that momtool made of rows, at its own version.
        OpenedStore *old = Open([kit copyOfStore:before], [kit plainModel:item[@"from"]],
                                OptionsOf(item), @"opened");
        record(@"old-opens", old.outcome, old.note);
    }
    if (after) {
        OpenedStore *ours =
            Open([kit copyOfStore:after], [kit plainModel:item[@"to"]], OptionsOf(item), @"opened");
        record(@"opens", ours.outcome, ours.note);
        RecordObjects(ours, @"objects", record);
        RecordSaving(ours, record);
    }
    if (!before || !expected[@"own-migration"]) { return; }
    OpenedStore *own = Migrate(kit, item);
    record(@"own-migration", own.outcome, own.note);
    if (expected[@"own-objects"]) { RecordObjects(own, @"own-objects", record); }
}
