// Written by the module's first change.
