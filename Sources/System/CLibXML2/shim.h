#include <libxml/xmlversion.h>
// Must come before any other libxml2 header: with ICU members visible, a clean build that also imports
// Foundation fails because both modules define ICU's error enumeration (swift-foundation-icu#93).
#undef LIBXML_ICU_ENABLED
#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/xmlerror.h>
