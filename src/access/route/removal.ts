/** Reply of a removal when there was nothing to remove: 204, whatever the endpoint's success status is. */
export const nothingRemoved = Symbol('nothing was there to remove')
