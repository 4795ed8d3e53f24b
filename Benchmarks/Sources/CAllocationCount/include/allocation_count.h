#pragma once

#include <stdint.h>

/// The number of memory allocations of the process so far.
uint64_t allocation_count(void);
