#import "Acceptance.h"

#include <stdio.h>

// Acceptance KIT REPORT [NAME...]: runs the items of a kit, or those whose names contain one of the words, and writes
// REPORT.json and REPORT.md. Each item runs in a process of its own, as Core Data may end it.

static JSONValue ReadJSON(NSString *path) {
    NSData *data = [NSData dataWithContentsOfFile:path];
    return data ? [NSJSONSerialization JSONObjectWithData:data options:0 error:NULL] : nil;
}

static BOOL WriteJSON(JSONValue value, NSString *path) {
    // Pretty-printed, with sorted keys; the name of the second option is not in every Foundation.
    NSJSONWritingOptions options = NSJSONWritingPrettyPrinted | (NSJSONWritingOptions)2;
    NSData *data = [NSJSONSerialization dataWithJSONObject:value options:options error:NULL];
    return [data writeToFile:path atomically:YES];
}

static NSString *OutcomeOf(JSONValue expected, JSONValue observed) {
    if (!observed) { return @"skipped"; }
    // momtool could not tell.
    if (expected == [NSNull null]) { return @"answered"; }
    // Whatever the number of the error; its words are in the note.
    if ([expected isEqual:@"refused"] && [observed isKindOfClass:[NSNumber class]]) {
        return @"same";
    }
    return IsSame(expected, observed) ? @"same" : @"different";
}

/// Runs the checks of one item, and writes them to a file.
static int RunItem(NSString *folder, NSUInteger index, NSString *path) {
    NSArray *items = ReadJSON([folder stringByAppendingPathComponent:@"kit.json"])[@"items"];
    if (index >= [items count]) { return 64; }
    NSDictionary *item = items[index];
    NSString *work = [path stringByDeletingLastPathComponent];
    Kit *kit = [[Kit alloc] initWithFolder:folder work:work];
    NSMutableArray *checks = [NSMutableArray array];
    Recorder record = ^(NSString *check, JSONValue observed, NSString *note) {
        JSONValue expected = item[@"expected"][check];
        // What nothing is expected of is not asked either.
        if (!expected) { return; }
        NSMutableDictionary *entry = [NSMutableDictionary dictionary];
        entry[@"case"] = item[@"name"];
        entry[@"check"] = check;
        entry[@"rules"] = item[@"rules"] ? item[@"rules"] : @[];
        entry[@"expected"] = expected;
        if (observed) { entry[@"observed"] = observed; }
        if (note) { entry[@"note"] = note; }
        entry[@"outcome"] = OutcomeOf(expected, observed);
        [checks addObject:entry];
        // What was seen so far stays where Core Data ends the process.
        WriteJSON(checks, path);
    };
    NSString *kind = item[@"kind"];
    if ([kind isEqualToString:@"model"]) {
        CheckModel(kit, item, record);
    } else if ([kind isEqualToString:@"step"]) {
        CheckStep(kit, item, record);
    } else {
        CheckStore(kit, item, record);
    }
    return 0;
}

/// The checks of an item that a process of its own has run; what it did not come to has failed.
static NSArray *ChecksOf(NSString *program, NSString *folder, NSDictionary *item,
                         NSUInteger index) {
    NSString *work = [NSTemporaryDirectory()
        stringByAppendingPathComponent:[[NSUUID UUID] UUIDString]];
    NSFileManager *files = [NSFileManager defaultManager];
    [files createDirectoryAtPath:work
        withIntermediateDirectories:YES
                         attributes:nil
                              error:NULL];
    NSString *path = [work stringByAppendingPathComponent:@"checks.json"];
    NSTask *task = [[NSTask alloc] init];
    [task setLaunchPath:program];
    [task setArguments:@[
        @"--item", folder, [NSString stringWithFormat:@"%lu", (unsigned long)index], path
    ]];
    // Core Data's own log is long; what counts is in the errors.
    [task setStandardError:[NSFileHandle fileHandleWithNullDevice]];
    NSString *note = nil;
    @try {
        [task launch];
        NSDate *end = [NSDate dateWithTimeIntervalSinceNow:120];
        while ([task isRunning] && [end timeIntervalSinceNow] > 0) {
            [NSThread sleepForTimeInterval:0.01];
        }
        if ([task isRunning]) {
            [task terminate];
            note = @"it had not ended after two minutes";
        }
        [task waitUntilExit];
        if (!note && [task terminationStatus] != 0) {
            note = [NSString stringWithFormat:@"its process ended with %d",
                                              [task terminationStatus]];
        }
    } @catch (NSException *exception) {
        note = [exception reason];
    }
    NSMutableArray *checks = [NSMutableArray array];
    NSArray *found = ReadJSON(path);
    if ([found isKindOfClass:[NSArray class]]) { [checks addObjectsFromArray:found]; }
    [files removeItemAtPath:work error:NULL];
    NSMutableSet *done = [NSMutableSet set];
    for (NSDictionary *check in checks) { [done addObject:check[@"check"]]; }
    NSArray *names = [[item[@"expected"] allKeys] sortedArrayUsingSelector:@selector(compare:)];
    for (NSString *name in names) {
        if ([done containsObject:name]) { continue; }
        NSMutableDictionary *entry = [NSMutableDictionary dictionary];
        entry[@"case"] = item[@"name"];
        entry[@"check"] = name;
        entry[@"rules"] = item[@"rules"] ? item[@"rules"] : @[];
        entry[@"expected"] = item[@"expected"][name];
        // Without a fault of the process, an earlier check of the item says why this one was not reached.
        entry[@"outcome"] = note ? @"failed" : @"skipped";
        entry[@"note"] = note ? note : @"not reached";
        [checks addObject:entry];
    }
    return checks;
}

static NSDictionary *System(void) {
    NSBundle *coreData = [NSBundle bundleForClass:[NSManagedObjectModel class]];
    NSString *version = [coreData objectForInfoDictionaryKey:@"CFBundleVersion"];
    NSString *xcode = OutputOf(@"/usr/bin/xcodebuild", @[ @"-version" ]);
    NSString *machine = OutputOf(@"/usr/bin/uname", @[ @"-m" ]);
    NSCharacterSet *blanks = [NSCharacterSet whitespaceAndNewlineCharacterSet];
    xcode = [[xcode stringByReplacingOccurrencesOfString:@"\n" withString:@" "]
        stringByTrimmingCharactersInSet:blanks];
    return @{
        @"name" : @"macOS",
        @"version" : [[NSProcessInfo processInfo] operatingSystemVersionString],
        @"machine" : machine ? [machine stringByTrimmingCharactersInSet:blanks] : @"unknown",
        @"coreData" : version ? version : @"unknown",
        @"xcode" : xcode ? xcode : @"none",
    };
}

static BOOL IsWanted(NSString *name, NSArray *words) {
    if ([words count] == 0) { return YES; }
    for (NSString *word in words) {
        if ([name rangeOfString:word].location != NSNotFound) { return YES; }
    }
    return NO;
}

static int Run(NSString *program, NSString *folder, NSString *report, NSArray *words) {
    NSDictionary *kit = ReadJSON([folder stringByAppendingPathComponent:@"kit.json"]);
    NSArray *items = [kit isKindOfClass:[NSDictionary class]] ? kit[@"items"] : nil;
    if (![kit[@"format"] isEqual:@1] || ![items isKindOfClass:[NSArray class]]) {
        fprintf(stderr, "%s: error: there is no kit here\n", [folder UTF8String]);
        return 66;
    }
    NSMutableArray *checks = [NSMutableArray array];
    for (NSUInteger index = 0; index < [items count]; index++) {
        if (!IsWanted(items[index][@"name"], words)) { continue; }
        @autoreleasepool {
            [checks addObjectsFromArray:ChecksOf(program, folder, items[index], index)];
        }
    }
    if ([checks count] == 0) {
        fprintf(stderr, "error: no item of the kit has such a name\n");
        return 66;
    }
    NSDictionary *result = @{
        @"format" : @1,
        @"momtool" : kit[@"momtool"],
        @"system" : System(),
        @"checks" : checks,
    };
    NSString *markdown = MarkdownOf(result);
    BOOL isWritten = WriteJSON(result, [report stringByAppendingPathExtension:@"json"]) &&
                     [[markdown dataUsingEncoding:NSUTF8StringEncoding]
                         writeToFile:[report stringByAppendingPathExtension:@"md"]
                          atomically:YES];
    if (!isWritten) {
        fprintf(stderr, "%s: error: the report cannot be written\n", [report UTF8String]);
        return 73;
    }
    for (NSDictionary *check in checks) {
        NSString *outcome = check[@"outcome"];
        if ([outcome isEqualToString:@"different"] || [outcome isEqualToString:@"failed"]) {
            return 1;
        }
    }
    return 0;
}

int main(int count, const char **arguments) {
    @autoreleasepool {
        NSMutableArray *words = [NSMutableArray array];
        for (int index = 1; index < count; index++) { [words addObject:@(arguments[index])]; }
        if ([words count] == 4 && [words[0] isEqualToString:@"--item"]) {
            return RunItem(words[1], (NSUInteger)[words[2] integerValue], words[3]);
        }
        if ([words count] < 2 || [words[0] hasPrefix:@"-"]) {
            fprintf(stderr, "usage: Acceptance KIT REPORT [NAME...]\n");
            return 64;
        }
        NSString *program = [[[NSBundle mainBundle] executablePath] stringByStandardizingPath];
        NSArray *names = [words subarrayWithRange:NSMakeRange(2, [words count] - 2)];
        return Run(program, words[0], words[1], names);
    }
}
