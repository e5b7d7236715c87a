/** Limits of expressions that the contract declares as well; without the parser, so that browser bundles stay small. */

/** Characters of an expression. */
export const maxExpressionLength = 1024
