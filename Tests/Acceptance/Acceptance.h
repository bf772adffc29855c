// What the files of the acceptance program share. The program asks Core Data itself what momtool says of it:
// it loads the models of a kit that `momtool accept kit` wrote, opens and migrates its stores, and writes down
// what it sees. It needs Foundation and Core Data alone.

#import <CoreData/CoreData.h>
#import <Foundation/Foundation.h>

/// What JSON holds: NSNull, NSNumber, NSString, NSArray or NSDictionary.
typedef id JSONValue;

/// Writes one check of an item: what Core Data does, `nil` where it could not be asked, with a note that says why.
typedef void (^Recorder)(NSString *check, JSONValue observed, NSString *note);

/// The files of a kit, and a folder for what one item leaves.
@interface Kit : NSObject
@property(nonatomic, copy, readonly) NSString *folder;
@property(nonatomic, copy, readonly) NSString *work;
- (instancetype)initWithFolder:(NSString *)folder work:(NSString *)work;
/// The path of a file that the kit names.
- (NSURL *)URLOf:(NSString *)path;
/// A path in the folder of this item, where nothing is.
- (NSURL *)newURL:(NSString *)name;
/// A copy of a store of the kit with what lies beside it; `nil` where it cannot be copied.
- (NSURL *)copyOfStore:(NSString *)path;
/// Loads a compiled model as it is; `nil` where Core Data cannot.
- (NSManagedObjectModel *)model:(NSString *)path;
/// Loads a compiled model for reading objects: without classes of its own, archives left as bytes.
- (NSManagedObjectModel *)plainModel:(NSString *)path;
@end

/// Runs the checks of a version of a model, of a step between two, or of a store.
void CheckModel(Kit *kit, NSDictionary *item, Recorder record);
void CheckStep(Kit *kit, NSDictionary *item, Recorder record);
void CheckStore(Kit *kit, NSDictionary *item, Recorder record);

/// An error as the kit writes it: the number of Core Data's error, or the name of an exception.
JSONValue WordsOfError(NSError *error);
/// The reasons of an error, of the one below it too.
NSString *NoteOfError(NSError *error);
/// What Apple's compiler makes of a source; `nil` without Xcode.
NSManagedObjectModel *CompiledByApple(Kit *kit, NSString *source);
/// The version hashes of entities, in base64, by name.
NSDictionary *HashesOf(NSManagedObjectModel *model);
/// Every object of a store with its values and links, by `Entity/p1`.
NSDictionary *ObjectsOf(NSManagedObjectContext *context, NSManagedObjectModel *model, NSError **error);
/// Adds an object to each entity that takes one, saves, fetches and deletes it again; `saved`, or what went wrong.
JSONValue SaveInto(NSPersistentStoreCoordinator *coordinator, NSManagedObjectModel *model, NSString **note);
/// What a program of the system prints; `nil` where there is none, or where it fails.
NSString *OutputOf(NSString *program, NSArray *arguments);
/// Whether two values of JSON are equal, numbers such as `double:0.1` by their value.
BOOL IsSame(JSONValue expected, JSONValue observed);
/// The report as a person reads it.
NSString *MarkdownOf(NSDictionary *report);
