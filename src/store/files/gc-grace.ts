/**
 * Grace period of garbage collection, shared by the collector and the writers.
 *
 * After putting an object or a file, a writer has six days to commit a reference to it: a day less than the grace period,
 * because repeated puts are recorded with a precision of a day.
 */
const day = 24 * 60 * 60 * 1000

/** Objects and files put within this time are retained, referenced or not. */
export const grace = 7 * day

/**
 * The same for the objects of a save that the next one may amend. They are committed by the transaction that puts them, and
 * the page tree of a large space takes some kilobytes for each save: only readers of the former revision, and a collection
 * that runs meanwhile, must find them.
 */
export const graceOfSaves = day

/** A repeated put within this time is not recorded, which saves a write. */
export const putPrecision = day
