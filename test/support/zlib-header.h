// SPDX-License-Identifier: GPL-2.0-only
#ifndef ZLIB_HEADER_H
#define ZLIB_HEADER_H

#include <zlib.h>

// FabricRoutes has a constant of the name that zlib defines for 16-bit machines.
#undef FAR

#endif // ZLIB_HEADER_H
