/** Portable column types, besides text, numbers and bytes. */

/** 0 or 1: neither engine's own booleans are understood by the other's driver. */
export type Bit = 0 | 1

/** Since 1970. */
export type Milliseconds = number

export type JsonText = string
