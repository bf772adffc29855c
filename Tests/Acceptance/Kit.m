#import "Acceptance.h"

/// Leaves the bytes of an archive as they are, so that what a store holds can be compared.
@interface PlainBytes : NSValueTransformer
@end

@implementation PlainBytes
+ (Class)transformedValueClass { return [NSData class]; }
+ (BOOL)allowsReverseTransformation { return YES; }
- (id)transformedValue:(id)value { return value; }
- (id)reverseTransformedValue:(id)value { return value; }
@end

@implementation Kit

- (instancetype)initWithFolder:(NSString *)folder work:(NSString *)work {
    self = [super init];
    if (self) {
        _folder = [folder copy];
        _work = [work copy];
    }
    return self;
}

- (NSURL *)URLOf:(NSString *)path {
    return [NSURL fileURLWithPath:[self.folder stringByAppendingPathComponent:path]];
}

- (NSURL *)newURL:(NSString *)name {
    NSString *own = [NSString stringWithFormat:@"%@-%@", [[NSUUID UUID] UUIDString], name];
    return [NSURL fileURLWithPath:[self.work stringByAppendingPathComponent:own]];
}

- (NSURL *)copyOfStore:(NSString *)path {
    // Large values lie in a folder that has the name of the store.
    NSString *folder = [[self newURL:@"Store"] path];
    NSFileManager *files = [NSFileManager defaultManager];
    if (![files createDirectoryAtPath:folder
            withIntermediateDirectories:YES
                             attributes:nil
                                  error:NULL]) {
        return nil;
    }
    NSString *source = [[self URLOf:path] path];
    NSString *name = [source lastPathComponent];
    NSString *base = [name stringByDeletingPathExtension];
    NSArray *names = @[
        name, [name stringByAppendingString:@"-wal"],
        [NSString stringWithFormat:@".%@_SUPPORT", base]
    ];
    for (NSString *each in names) {
        NSString *from =
            [[source stringByDeletingLastPathComponent] stringByAppendingPathComponent:each];
        if (![files fileExistsAtPath:from]) { continue; }
        NSString *to = [folder stringByAppendingPathComponent:each];
        if (![files copyItemAtPath:from toPath:to error:NULL]) { return nil; }
    }
    return [NSURL fileURLWithPath:[folder stringByAppendingPathComponent:name]];
}

- (NSManagedObjectModel *)model:(NSString *)path {
    // Where momtool compiles no model, Apple's compiler does.
    if ([path hasSuffix:@".xcdatamodel"]) { return CompiledByApple(self, path); }
    return [[NSManagedObjectModel alloc] initWithContentsOfURL:[self URLOf:path]];
}

- (NSManagedObjectModel *)plainModel:(NSString *)path {
    NSManagedObjectModel *model = [self model:path];
    [NSValueTransformer setValueTransformer:[[PlainBytes alloc] init] forName:@"PlainBytes"];
    for (NSEntityDescription *entity in model.entities) {
        entity.managedObjectClassName = @"NSManagedObject";
        for (NSPropertyDescription *property in entity.properties) {
            if (![property isKindOfClass:[NSAttributeDescription class]]) { continue; }
            NSAttributeDescription *attribute = (NSAttributeDescription *)property;
            if (attribute.attributeType == NSTransformableAttributeType) {
                attribute.valueTransformerName = @"PlainBytes";
            }
        }
    }
    return model;
}

@end

JSONValue WordsOfError(NSError *error) {
    return error ? @([error code]) : (JSONValue)[NSNull null];
}

NSString *NoteOfError(NSError *error) {
    if (!error) { return nil; }
    NSMutableArray *lines = [NSMutableArray array];
    NSError *next = error;
    while (next && [lines count] < 8) {
        NSString *reason = [[next userInfo] objectForKey:@"reason"];
        NSString *words = reason ? reason : [next localizedDescription];
        [lines addObject:[NSString stringWithFormat:@"%@ %ld: %@", [next domain],
                                                    (long)[next code], words]];
        next = [[next userInfo] objectForKey:NSUnderlyingErrorKey];
    }
    return [lines componentsJoinedByString:@"; "];
}

NSString *OutputOf(NSString *program, NSArray *arguments) {
    if (![[NSFileManager defaultManager] isExecutableFileAtPath:program]) { return nil; }
    NSTask *task = [[NSTask alloc] init];
    NSPipe *pipe = [NSPipe pipe];
    [task setLaunchPath:program];
    [task setArguments:arguments];
    [task setStandardOutput:pipe];
    [task setStandardError:[NSFileHandle fileHandleWithNullDevice]];
    @try {
        [task launch];
    } @catch (NSException *exception) {
        return nil;
    }
    NSData *said = [[pipe fileHandleForReading] readDataToEndOfFile];
    [task waitUntilExit];
    if ([task terminationStatus] != 0) { return nil; }
    return [[NSString alloc] initWithData:said encoding:NSUTF8StringEncoding];
}
