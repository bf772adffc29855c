// The declarations of Core Data that the acceptance program uses, so that its syntax can be checked where there is no
// Core Data: the names and types that Apple's documentation gives, written down for this check. Nothing is compiled
// against it for use.

#import <Foundation/Foundation.h>

@class NSEntityDescription, NSManagedObject, NSManagedObjectContext, NSManagedObjectID;
@class NSManagedObjectModel, NSMappingModel, NSPersistentStoreCoordinator;

extern NSString *const NSSQLiteStoreType;
extern NSString *const NSMigratePersistentStoresAutomaticallyOption;
extern NSString *const NSInferMappingModelAutomaticallyOption;

typedef NSUInteger NSAttributeType;
enum {
    NSUndefinedAttributeType = 0,
    NSInteger16AttributeType = 100,
    NSInteger32AttributeType = 200,
    NSInteger64AttributeType = 300,
    NSDecimalAttributeType = 400,
    NSDoubleAttributeType = 500,
    NSFloatAttributeType = 600,
    NSStringAttributeType = 700,
    NSBooleanAttributeType = 800,
    NSDateAttributeType = 900,
    NSBinaryDataAttributeType = 1000,
    NSUUIDAttributeType = 1100,
    NSURIAttributeType = 1200,
    NSTransformableAttributeType = 1800,
    NSObjectIDAttributeType = 2000,
};

typedef NSUInteger NSManagedObjectContextConcurrencyType;
enum { NSPrivateQueueConcurrencyType = 1, NSMainQueueConcurrencyType = 2 };

@interface NSPropertyDescription : NSObject
@property(nonatomic, readonly) NSEntityDescription *entity;
@property(nonatomic, copy) NSString *name;
@property(copy) NSString *renamingIdentifier;
@property(getter=isOptional) BOOL optional;
@property(getter=isTransient) BOOL transient;
@end

@interface NSAttributeDescription : NSPropertyDescription
@property NSAttributeType attributeType;
@property(copy) NSString *valueTransformerName;
@end

@interface NSFetchedPropertyDescription : NSPropertyDescription
@end

@interface NSRelationshipDescription : NSPropertyDescription
@property(readonly, getter=isToMany) BOOL toMany;
@property(getter=isOrdered) BOOL ordered;
@end

@interface NSEntityDescription : NSObject
@property(copy) NSString *name;
@property(copy) NSString *renamingIdentifier;
@property(copy) NSString *managedObjectClassName;
@property(getter=isAbstract) BOOL abstract;
@property(readonly, assign) NSEntityDescription *superentity;
@property(copy) NSArray *properties;
@property(readonly, copy) NSDictionary *propertiesByName;
@end

@interface NSManagedObjectModel : NSObject
- (instancetype)initWithContentsOfURL:(NSURL *)url;
@property(copy) NSArray *entities;
@property(readonly, copy) NSDictionary *entityVersionHashesByName;
@end

@interface NSEntityMapping : NSObject
@property(copy) NSString *name;
@end

@interface NSMappingModel : NSObject
+ (NSMappingModel *)inferredMappingModelForSourceModel:(NSManagedObjectModel *)source
                                      destinationModel:(NSManagedObjectModel *)destination
                                                 error:(NSError **)error;
@property(copy) NSArray *entityMappings;
@end

@interface NSPersistentStore : NSObject
@end

@interface NSPersistentStoreCoordinator : NSObject
- (instancetype)initWithManagedObjectModel:(NSManagedObjectModel *)model;
- (NSPersistentStore *)addPersistentStoreWithType:(NSString *)type
                                    configuration:(NSString *)configuration
                                              URL:(NSURL *)url
                                          options:(NSDictionary *)options
                                            error:(NSError **)error;
- (BOOL)removePersistentStore:(NSPersistentStore *)store error:(NSError **)error;
@end

@interface NSManagedObjectID : NSObject
@property(readonly) NSEntityDescription *entity;
- (NSURL *)URIRepresentation;
@end

@interface NSManagedObject : NSObject
- (instancetype)initWithEntity:(NSEntityDescription *)entity
    insertIntoManagedObjectContext:(NSManagedObjectContext *)context;
@property(readonly) NSEntityDescription *entity;
@property(readonly) NSManagedObjectID *objectID;
- (BOOL)validateForInsert:(NSError **)error;
@end

@interface NSFetchRequest : NSObject
- (instancetype)initWithEntityName:(NSString *)name;
@end

@interface NSManagedObjectContext : NSObject
- (instancetype)initWithConcurrencyType:(NSManagedObjectContextConcurrencyType)type;
@property(strong) NSPersistentStoreCoordinator *persistentStoreCoordinator;
- (NSArray *)executeFetchRequest:(NSFetchRequest *)request error:(NSError **)error;
- (void)deleteObject:(NSManagedObject *)object;
- (BOOL)save:(NSError **)error;
- (void)reset;
@end

// Staged migration, since macOS 14.

@interface NSManagedObjectModelReference : NSObject
- (instancetype)initWithModel:(NSManagedObjectModel *)model versionChecksum:(NSString *)checksum;
@end

@interface NSMigrationStage : NSObject
@end

@interface NSLightweightMigrationStage : NSMigrationStage
- (instancetype)initWithVersionChecksums:(NSArray *)checksums;
@end

@interface NSCustomMigrationStage : NSMigrationStage
- (instancetype)initWithCurrentModelReference:(NSManagedObjectModelReference *)current
                           nextModelReference:(NSManagedObjectModelReference *)next;
@end

@interface NSStagedMigrationManager : NSObject
- (instancetype)initWithMigrationStages:(NSArray *)stages;
@end
