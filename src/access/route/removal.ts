/** What a handler of a removal answers when there was nothing to remove: 204, whatever the endpoint's success is. */
export const nothingRemoved = Symbol('nothing was there to remove')
