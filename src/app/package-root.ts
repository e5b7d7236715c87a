/** The folder of the installed package. Bundled files lie two steps below it, and so does this source. */
export const packageRoot = new URL('../../', import.meta.url)
