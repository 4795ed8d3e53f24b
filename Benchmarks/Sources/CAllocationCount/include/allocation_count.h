#pragma once

#include <stdint.h>

/// How many times the process has asked for memory so far.
uint64_t allocation_count(void);
