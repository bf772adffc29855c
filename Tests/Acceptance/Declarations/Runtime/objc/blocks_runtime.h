// GNUstep's headers ask for the runtime of blocks, which Debian has in no package of headers.

void *_Block_copy(const void *block);
void _Block_release(const void *block);
