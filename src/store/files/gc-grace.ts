/**
 * How old a thing must be before nobody can be about to name it: the times that the collector and the writers share.
 *
 * Whoever puts an object or a file has six days to commit what names it. A day less than the grace, because a put
 * of what is there already is noted by the day only.
 */
const day = 24 * 60 * 60 * 1000

/** What was put later than so long ago is kept, named or not. */
export const grace = 7 * day

/** A thing that was put so recently is not noted again when it is put once more: it would be written for nothing. */
export const putPrecision = day
