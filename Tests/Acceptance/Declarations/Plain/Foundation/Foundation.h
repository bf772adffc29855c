// The declarations of Foundation that the acceptance program uses, so that its syntax can be checked, with automatic
// reference counting, by any clang: the names and types that Apple's documentation gives, written down for this check.
// With GNUstep's headers installed the program is checked against those too.

#import <stdbool.h>

typedef bool BOOL;
#define YES __objc_yes
#define NO __objc_no
#define nil ((id)0)
#define NULL ((void *)0)

typedef long NSInteger;
typedef unsigned long NSUInteger;
typedef double NSTimeInterval;
typedef struct { NSUInteger location; NSUInteger length; } NSRange;
enum { NSNotFound = 0x7fffffffffffffffL };
NSRange NSMakeRange(NSUInteger location, NSUInteger length);

@class NSArray, NSCharacterSet, NSData, NSDate, NSDictionary, NSError, NSString, NSURL;

@protocol NSObject
- (BOOL)isEqual:(id)object;
- (BOOL)isKindOfClass:(Class)aClass;
- (BOOL)respondsToSelector:(SEL)selector;
- (Class)class;
@end

@protocol NSCopying
@end

@protocol NSFastEnumeration
- (NSUInteger)countByEnumeratingWithState:(void *)state
                                  objects:(id __unsafe_unretained[])buffer
                                    count:(NSUInteger)length;
@end

__attribute__((objc_root_class)) @interface NSObject <NSObject>
+ (instancetype)alloc;
+ (Class)class;
- (instancetype)init;
- (id)copy;
- (id)valueForKey:(NSString *)key;
- (void)setValue:(id)value forKey:(NSString *)key;
@end

SEL NSSelectorFromString(NSString *name);
Class NSClassFromString(NSString *name);
NSString *NSStringFromClass(Class aClass);
NSString *NSTemporaryDirectory(void);

@interface NSNull : NSObject
+ (NSNull *)null;
@end

@interface NSString : NSObject <NSCopying>
+ (instancetype)stringWithFormat:(NSString *)format, ...;
+ (instancetype)stringWithUTF8String:(const char *)bytes;
- (instancetype)initWithData:(NSData *)data encoding:(NSUInteger)encoding;
@property(readonly) NSUInteger length;
@property(readonly) const char *UTF8String;
@property(readonly) double doubleValue;
@property(readonly) NSInteger integerValue;
@property(readonly, copy) NSString *lastPathComponent;
@property(readonly, copy) NSString *stringByDeletingPathExtension;
@property(readonly, copy) NSString *stringByDeletingLastPathComponent;
@property(readonly, copy) NSString *stringByStandardizingPath;
- (NSString *)stringByAppendingString:(NSString *)string;
- (NSString *)stringByAppendingPathComponent:(NSString *)component;
- (NSString *)stringByAppendingPathExtension:(NSString *)extension;
- (NSString *)stringByReplacingOccurrencesOfString:(NSString *)old withString:(NSString *)new;
- (NSString *)stringByTrimmingCharactersInSet:(NSCharacterSet *)set;
- (NSString *)substringFromIndex:(NSUInteger)index;
- (NSString *)substringToIndex:(NSUInteger)index;
- (BOOL)hasPrefix:(NSString *)prefix;
- (BOOL)hasSuffix:(NSString *)suffix;
- (BOOL)isEqualToString:(NSString *)string;
- (NSInteger)compare:(NSString *)string;
- (NSRange)rangeOfString:(NSString *)string;
- (NSData *)dataUsingEncoding:(NSUInteger)encoding;
@end

enum { NSUTF8StringEncoding = 4 };
extern NSString *const NSUnderlyingErrorKey;

@interface NSCharacterSet : NSObject
+ (NSCharacterSet *)whitespaceAndNewlineCharacterSet;
@end

@interface NSNumber : NSObject
+ (NSNumber *)numberWithBool:(BOOL)value;
+ (NSNumber *)numberWithInt:(int)value;
+ (NSNumber *)numberWithLong:(long)value;
+ (NSNumber *)numberWithInteger:(NSInteger)value;
+ (NSNumber *)numberWithUnsignedInteger:(NSUInteger)value;
@property(readonly) BOOL boolValue;
@property(readonly) double doubleValue;
@property(readonly) long long longLongValue;
@property(readonly) NSInteger integerValue;
@end

@interface NSDecimalNumber : NSNumber
+ (NSDecimalNumber *)decimalNumberWithMantissa:(unsigned long long)mantissa
                                      exponent:(short)exponent
                                    isNegative:(BOOL)isNegative;
@end

@interface NSArray : NSObject <NSFastEnumeration, NSCopying>
+ (instancetype)array;
+ (instancetype)arrayWithArray:(NSArray *)array;
+ (instancetype)arrayWithObjects:(const id[])objects count:(NSUInteger)count;
@property(readonly) NSUInteger count;
@property(readonly) id firstObject;
- (id)objectAtIndexedSubscript:(NSUInteger)index;
- (BOOL)containsObject:(id)object;
- (NSArray *)sortedArrayUsingSelector:(SEL)selector;
- (NSArray *)subarrayWithRange:(NSRange)range;
- (NSString *)componentsJoinedByString:(NSString *)separator;
@end

@interface NSMutableArray : NSArray
- (void)addObject:(id)object;
- (void)addObjectsFromArray:(NSArray *)array;
- (void)removeObjectsInArray:(NSArray *)array;
@end

@interface NSDictionary : NSObject <NSFastEnumeration, NSCopying>
+ (instancetype)dictionary;
+ (instancetype)dictionaryWithObjects:(const id[])objects
                              forKeys:(const id<NSCopying>[])keys
                                count:(NSUInteger)count;
@property(readonly) NSUInteger count;
@property(readonly, copy) NSArray *allKeys;
- (id)objectForKey:(id)key;
- (id)objectForKeyedSubscript:(id)key;
- (BOOL)writeToFile:(NSString *)path atomically:(BOOL)isAtomic;
@end

@interface NSMutableDictionary : NSDictionary
- (void)setObject:(id)object forKeyedSubscript:(id<NSCopying>)key;
@end

@interface NSSet : NSObject <NSFastEnumeration>
+ (instancetype)set;
+ (instancetype)setWithArray:(NSArray *)array;
@property(readonly) NSUInteger count;
@property(readonly, copy) NSArray *allObjects;
- (BOOL)containsObject:(id)object;
@end

@interface NSMutableSet : NSSet
- (void)addObject:(id)object;
- (void)addObjectsFromArray:(NSArray *)array;
@end

@interface NSData : NSObject
+ (instancetype)dataWithContentsOfFile:(NSString *)path;
- (NSString *)base64EncodedStringWithOptions:(NSUInteger)options;
- (BOOL)writeToFile:(NSString *)path atomically:(BOOL)isAtomic;
@end

@interface NSDate : NSObject
+ (instancetype)dateWithTimeIntervalSinceNow:(NSTimeInterval)seconds;
+ (instancetype)dateWithTimeIntervalSinceReferenceDate:(NSTimeInterval)seconds;
@property(readonly) NSTimeInterval timeIntervalSinceNow;
@property(readonly) NSTimeInterval timeIntervalSinceReferenceDate;
@end

@interface NSUUID : NSObject
+ (instancetype)UUID;
@property(readonly, copy) NSString *UUIDString;
@end

@interface NSURL : NSObject
+ (NSURL *)fileURLWithPath:(NSString *)path;
+ (instancetype)URLWithString:(NSString *)string;
@property(readonly, copy) NSString *path;
@property(readonly, copy) NSString *absoluteString;
@property(readonly, copy) NSString *lastPathComponent;
@end

@interface NSError : NSObject
@property(readonly) NSInteger code;
@property(readonly, copy) NSString *domain;
@property(readonly, copy) NSString *localizedDescription;
@property(readonly, copy) NSDictionary *userInfo;
@end

@interface NSException : NSObject
@property(readonly, copy) NSString *name;
@property(readonly, copy) NSString *reason;
@end

@interface NSValueTransformer : NSObject
+ (void)setValueTransformer:(NSValueTransformer *)transformer forName:(NSString *)name;
+ (Class)transformedValueClass;
+ (BOOL)allowsReverseTransformation;
- (id)transformedValue:(id)value;
- (id)reverseTransformedValue:(id)value;
@end

@interface NSFileManager : NSObject
+ (NSFileManager *)defaultManager;
- (BOOL)createDirectoryAtPath:(NSString *)path
    withIntermediateDirectories:(BOOL)createsIntermediates
                     attributes:(NSDictionary *)attributes
                          error:(NSError **)error;
- (BOOL)copyItemAtPath:(NSString *)source toPath:(NSString *)destination error:(NSError **)error;
- (BOOL)removeItemAtPath:(NSString *)path error:(NSError **)error;
- (BOOL)fileExistsAtPath:(NSString *)path;
- (BOOL)isExecutableFileAtPath:(NSString *)path;
@end

@interface NSFileHandle : NSObject
+ (NSFileHandle *)fileHandleWithNullDevice;
- (NSData *)readDataToEndOfFile;
@end

@interface NSPipe : NSObject
+ (NSPipe *)pipe;
@property(readonly, strong) NSFileHandle *fileHandleForReading;
@end

@interface NSTask : NSObject
@property(copy) NSString *launchPath;
@property(copy) NSArray *arguments;
@property(strong) id standardOutput;
@property(strong) id standardError;
@property(readonly, getter=isRunning) BOOL running;
@property(readonly) int terminationStatus;
- (void)launch;
- (void)terminate;
- (void)waitUntilExit;
@end

@interface NSThread : NSObject
+ (void)sleepForTimeInterval:(NSTimeInterval)seconds;
@end

@interface NSBundle : NSObject
+ (NSBundle *)mainBundle;
+ (NSBundle *)bundleForClass:(Class)aClass;
+ (NSBundle *)bundleWithPath:(NSString *)path;
@property(readonly, copy) NSString *executablePath;
- (id)objectForInfoDictionaryKey:(NSString *)key;
@end

@interface NSProcessInfo : NSObject
+ (NSProcessInfo *)processInfo;
@property(readonly, copy) NSString *operatingSystemVersionString;
@end

typedef NSUInteger NSJSONWritingOptions;
enum { NSJSONWritingPrettyPrinted = 1 };

@interface NSJSONSerialization : NSObject
+ (id)JSONObjectWithData:(NSData *)data options:(NSUInteger)options error:(NSError **)error;
+ (NSData *)dataWithJSONObject:(id)object
                       options:(NSJSONWritingOptions)options
                         error:(NSError **)error;
@end
