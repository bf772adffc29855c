#import "Acceptance.h"

/// The number behind `double:`, `date:` or `decimal:`; no where a text is something else.
static BOOL NumberOf(NSString *text, NSString **kind, double *number) {
    for (NSString *each in @[ @"double:", @"date:", @"decimal:" ]) {
        if (![text hasPrefix:each]) { continue; }
        *kind = each;
        NSString *digits = [text substringFromIndex:[each length]];
        // Infinity and what is no number are words, which are equal or not.
        if ([digits rangeOfString:@"N"].location == 0 || [digits rangeOfString:@"I"].length > 0) {
            return NO;
        }
        *number = [digits doubleValue];
        return YES;
    }
    return NO;
}

static BOOL IsSameText(NSString *expected, NSString *observed) {
    if ([expected isEqualToString:observed]) { return YES; }
    NSString *own = nil;
    NSString *other = nil;
    double first = 0;
    double second = 0;
    return NumberOf(expected, &own, &first) && NumberOf(observed, &other, &second) &&
           [own isEqualToString:other] && first == second;
}

BOOL IsSame(JSONValue expected, JSONValue observed) {
    if ([expected isKindOfClass:[NSString class]] && [observed isKindOfClass:[NSString class]]) {
        return IsSameText(expected, observed);
    }
    if ([expected isKindOfClass:[NSArray class]] && [observed isKindOfClass:[NSArray class]]) {
        if ([expected count] != [observed count]) { return NO; }
        for (NSUInteger index = 0; index < [expected count]; index++) {
            if (!IsSame(expected[index], observed[index])) { return NO; }
        }
        return YES;
    }
    if ([expected isKindOfClass:[NSDictionary class]] &&
        [observed isKindOfClass:[NSDictionary class]]) {
        if ([expected count] != [observed count]) { return NO; }
        for (NSString *key in expected) {
            id value = [observed objectForKey:key];
            if (!value || !IsSame([expected objectForKey:key], value)) { return NO; }
        }
        return YES;
    }
    return [expected isEqual:observed];
}

/// What differs first, for a line of the report.
static NSString *DifferenceOf(JSONValue expected, JSONValue observed, NSString *place) {
    if ([expected isKindOfClass:[NSDictionary class]] &&
        [observed isKindOfClass:[NSDictionary class]]) {
        NSMutableSet *keys = [NSMutableSet setWithArray:[expected allKeys]];
        [keys addObjectsFromArray:[observed allKeys]];
        NSArray *sorted = [[keys allObjects] sortedArrayUsingSelector:@selector(compare:)];
        for (NSString *key in sorted) {
            id own = [expected objectForKey:key];
            id other = [observed objectForKey:key];
            if (own && other && IsSame(own, other)) { continue; }
            NSString *path =
                [place length] ? [NSString stringWithFormat:@"%@.%@", place, key] : key;
            return DifferenceOf(own ? own : [NSNull null], other ? other : [NSNull null], path);
        }
    }
    if ([expected isKindOfClass:[NSArray class]] && [observed isKindOfClass:[NSArray class]]) {
        NSMutableArray *missing = [NSMutableArray arrayWithArray:expected];
        [missing removeObjectsInArray:observed];
        NSMutableArray *surplus = [NSMutableArray arrayWithArray:observed];
        [surplus removeObjectsInArray:expected];
        id own = [missing count] ? [missing firstObject] : @"(another order)";
        id other = [surplus count] ? [surplus firstObject] : @"(another order)";
        return DifferenceOf(own, other, place);
    }
    NSString *where = [place length] ? [place stringByAppendingString:@": "] : @"";
    return [NSString stringWithFormat:@"%@momtool says %@, Core Data does %@", where, expected,
                                      observed];
}

/// A text in a cell of a table.
static NSString *CellOf(NSString *text) {
    NSString *line = [text stringByReplacingOccurrencesOfString:@"\n" withString:@" "];
    line = [line stringByReplacingOccurrencesOfString:@"|" withString:@"\\|"];
    return [line length] > 400 ? [[line substringToIndex:400] stringByAppendingString:@"…"] : line;
}

NSString *MarkdownOf(NSDictionary *report) {
    NSMutableDictionary *counts = [NSMutableDictionary dictionary];
    NSMutableArray *rows = [NSMutableArray array];
    for (NSDictionary *check in report[@"checks"]) {
        NSString *outcome = check[@"outcome"];
        counts[outcome] = @([counts[outcome] integerValue] + 1);
        if ([outcome isEqualToString:@"same"]) { continue; }
        NSString *note = check[@"note"] ? check[@"note"] : @"";
        if ([outcome isEqualToString:@"answered"]) {
            NSString *words = [NSString stringWithFormat:@"Core Data: %@", check[@"observed"]];
            note = [note length] ? [NSString stringWithFormat:@"%@; %@", words, note] : words;
        }
        if ([outcome isEqualToString:@"different"]) {
            NSString *words = DifferenceOf(check[@"expected"], check[@"observed"], @"");
            note = [note length] ? [NSString stringWithFormat:@"%@; %@", words, note] : words;
        }
        [rows addObject:[NSString stringWithFormat:@"| %@ | %@ | %@ | %@ |", outcome,
                                                   CellOf(check[@"case"]), check[@"check"],
                                                   CellOf(note)]];
    }
    NSDictionary *system = report[@"system"];
    NSMutableArray *lines = [NSMutableArray array];
    [lines addObject:@"# What Core Data says of momtool\n"];
    [lines addObject:[NSString stringWithFormat:@"%@ %@, Core Data %@, Xcode %@, momtool %@\n",
                                                system[@"name"], system[@"version"],
                                                system[@"coreData"], system[@"xcode"],
                                                report[@"momtool"]]];
    for (NSString *outcome in @[ @"same", @"different", @"answered", @"skipped", @"failed" ]) {
        [lines addObject:[NSString stringWithFormat:@"- %@: %ld", outcome,
                                                    (long)[counts[outcome] integerValue]]];
    }
    if ([rows count] > 0) {
        [lines addObject:@"\n| outcome | case | check | what differs |\n| --- | --- | --- | --- |"];
        [lines addObjectsFromArray:rows];
    }
    return [[lines componentsJoinedByString:@"\n"] stringByAppendingString:@"\n"];
}
