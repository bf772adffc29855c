#import "Acceptance.h"

#include <math.h>

static NSString *NumberText(NSString *kind, double number) {
    if (isnan(number)) { return [kind stringByAppendingString:@":NaN"]; }
    if (isinf(number)) {
        return [kind stringByAppendingString:number < 0 ? @":-Infinity" : @":Infinity"];
    }
    return [NSString stringWithFormat:@"%@:%.17g", kind, number];
}

/// A value as the kit writes it: what it is, and its text. What is nil is left out.
static NSString *TextOf(id value, NSAttributeType type) {
    switch (type) {
        case NSBooleanAttributeType:
        case NSInteger16AttributeType:
        case NSInteger32AttributeType:
        case NSInteger64AttributeType:
            return [NSString stringWithFormat:@"integer:%lld", [value longLongValue]];
        case NSFloatAttributeType:
        case NSDoubleAttributeType: return NumberText(@"double", [value doubleValue]);
        // A store keeps decimals as floating-point numbers.
        case NSDecimalAttributeType: return NumberText(@"decimal", [value doubleValue]);
        case NSDateAttributeType:
            return NumberText(@"date", [value timeIntervalSinceReferenceDate]);
        case NSStringAttributeType: return [@"text:" stringByAppendingString:value];
        case NSUUIDAttributeType: return [@"uuid:" stringByAppendingString:[value UUIDString]];
        case NSURIAttributeType: return [@"uri:" stringByAppendingString:[value absoluteString]];
        default: break;
    }
    if ([value isKindOfClass:[NSData class]]) {
        return [@"bytes:" stringByAppendingString:[value base64EncodedStringWithOptions:0]];
    }
    return [@"other:" stringByAppendingString:NSStringFromClass([value class])];
}

/// Adds an attribute, and of a composite one each element, as `address.city`.
static void AddValue(NSMutableDictionary *values, NSString *name, id value,
                     NSAttributeDescription *attribute) {
    if (!value || value == [NSNull null]) { return; }
    if ([value isKindOfClass:[NSDictionary class]] &&
        [attribute respondsToSelector:NSSelectorFromString(@"elements")]) {
        for (NSAttributeDescription *element in [attribute valueForKey:@"elements"]) {
            NSString *path = [NSString stringWithFormat:@"%@.%@", name, element.name];
            AddValue(values, path, [value objectForKey:element.name], element);
        }
        return;
    }
    values[name] = TextOf(value, attribute.attributeType);
}

/// An object's name: the root entity, whose keys are unique, and the key, as `Item/p12`.
static NSString *NameOf(NSManagedObjectID *objectID) {
    NSEntityDescription *root = objectID.entity;
    while (root.superentity) { root = root.superentity; }
    NSString *key = [[objectID URIRepresentation] lastPathComponent];
    return [NSString stringWithFormat:@"%@/%@", root.name, key];
}

static NSArray *LinksOf(id value, NSRelationshipDescription *relationship) {
    NSMutableArray *names = [NSMutableArray array];
    if (!relationship.isToMany) {
        [names addObject:NameOf([(NSManagedObject *)value objectID])];
        return names;
    }
    for (NSManagedObject *each in value) { [names addObject:NameOf(each.objectID)]; }
    return relationship.isOrdered ? names
                                  : [names sortedArrayUsingSelector:@selector(compare:)];
}

static NSDictionary *ContentsOf(NSManagedObject *object) {
    NSMutableDictionary *contents = [NSMutableDictionary dictionary];
    contents[@"@entity"] = object.entity.name;
    NSDictionary *properties = object.entity.propertiesByName;
    for (NSString *name in properties) {
        NSPropertyDescription *property = properties[name];
        if (property.isTransient) { continue; }
        if ([property isKindOfClass:[NSFetchedPropertyDescription class]]) { continue; }
        id value = [object valueForKey:name];
        if (!value) { continue; }
        if ([property isKindOfClass:[NSRelationshipDescription class]]) {
            NSArray *links = LinksOf(value, (NSRelationshipDescription *)property);
            if ([links count] > 0) { contents[name] = links; }
        } else {
            AddValue(contents, name, value, (NSAttributeDescription *)property);
        }
    }
    return contents;
}

NSDictionary *ObjectsOf(NSManagedObjectContext *context, NSManagedObjectModel *model,
                        NSError **error) {
    NSMutableDictionary *objects = [NSMutableDictionary dictionary];
    for (NSEntityDescription *entity in model.entities) {
        if (entity.superentity) { continue; }
        NSFetchRequest *request = [[NSFetchRequest alloc] initWithEntityName:entity.name];
        NSArray *found = [context executeFetchRequest:request error:error];
        if (!found) { return nil; }
        for (NSManagedObject *object in found) {
            objects[NameOf(object.objectID)] = ContentsOf(object);
        }
    }
    return objects;
}

/// A value that an attribute takes, another one each time, as some must be unique.
static id SampleFor(NSAttributeDescription *attribute) {
    static int next = 7000;
    next += 1;
    switch (attribute.attributeType) {
        case NSBooleanAttributeType: return @(YES);
        case NSInteger16AttributeType:
        case NSInteger32AttributeType:
        case NSInteger64AttributeType:
        case NSFloatAttributeType:
        case NSDoubleAttributeType: return @(next);
        case NSDecimalAttributeType:
            return [NSDecimalNumber decimalNumberWithMantissa:(unsigned long long)next
                                                     exponent:0
                                                   isNegative:NO];
        case NSDateAttributeType: return [NSDate dateWithTimeIntervalSinceReferenceDate:next];
        case NSStringAttributeType: return [[NSUUID UUID] UUIDString];
        case NSUUIDAttributeType: return [NSUUID UUID];
        case NSURIAttributeType: return [NSURL URLWithString:@"https://example.org/acceptance"];
        case NSBinaryDataAttributeType:
        case NSTransformableAttributeType:
            return [@"acceptance" dataUsingEncoding:NSUTF8StringEncoding];
        default: return nil;
    }
}

static BOOL IsDerived(NSPropertyDescription *property) {
    Class derived = NSClassFromString(@"NSDerivedAttributeDescription");
    return derived && [property isKindOfClass:derived];
}

/// Fills what a new object must have; says no where the rules of its model are not met so, as by a mandatory link.
static BOOL Fill(NSManagedObject *object) {
    NSDictionary *properties = object.entity.propertiesByName;
    for (NSString *name in properties) {
        NSPropertyDescription *property = properties[name];
        if (property.isOptional || property.isTransient || IsDerived(property)) { continue; }
        if (![property isKindOfClass:[NSAttributeDescription class]]) { continue; }
        if ([object valueForKey:name]) { continue; }
        id sample = SampleFor((NSAttributeDescription *)property);
        if (sample) { [object setValue:sample forKey:name]; }
    }
    return [object validateForInsert:NULL];
}

/// Every object of some names; `nil` where Core Data fetches none.
static NSArray *ObjectsNamed(NSSet *names, NSManagedObjectContext *context,
                             NSManagedObjectModel *model, NSError **error) {
    NSMutableArray *objects = [NSMutableArray array];
    for (NSEntityDescription *entity in model.entities) {
        if (entity.superentity) { continue; }
        NSFetchRequest *request = [[NSFetchRequest alloc] initWithEntityName:entity.name];
        NSArray *found = [context executeFetchRequest:request error:error];
        if (!found) { return nil; }
        for (NSManagedObject *object in found) {
            if ([names containsObject:NameOf(object.objectID)]) { [objects addObject:object]; }
        }
    }
    return objects;
}

JSONValue SaveInto(NSPersistentStoreCoordinator *coordinator, NSManagedObjectModel *model,
                   NSString **note) {
    NSManagedObjectContext *context =
        [[NSManagedObjectContext alloc] initWithConcurrencyType:NSMainQueueConcurrencyType];
    context.persistentStoreCoordinator = coordinator;
    NSMutableArray *added = [NSMutableArray array];
    for (NSEntityDescription *entity in model.entities) {
        if (entity.isAbstract) { continue; }
        NSManagedObject *object = [[NSManagedObject alloc] initWithEntity:entity
                                           insertIntoManagedObjectContext:context];
        if (Fill(object)) {
            [added addObject:object];
        } else {
            [context deleteObject:object];
        }
    }
    NSError *error = nil;
    if (![context save:&error]) {
        *note = NoteOfError(error);
        return WordsOfError(error);
    }
    NSMutableSet *names = [NSMutableSet set];
    for (NSManagedObject *object in added) { [names addObject:NameOf(object.objectID)]; }
    [context reset];
    NSArray *found = ObjectsNamed(names, context, model, &error);
    if ([found count] != [names count]) {
        *note = [NSString stringWithFormat:@"of %lu new objects %lu are found: %@",
                                           (unsigned long)[names count],
                                           (unsigned long)[found count], NoteOfError(error)];
        return @"lost";
    }
    for (NSManagedObject *object in found) { [context deleteObject:object]; }
    if (![context save:&error]) {
        *note = NoteOfError(error);
        return WordsOfError(error);
    }
    [context reset];
    return [ObjectsNamed(names, context, model, &error) count] == 0 ? @"saved" : @"not deleted";
}
