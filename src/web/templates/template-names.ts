/** Names of the templates that a new space can begin with. */
export const templateNames = ['product', 'api', 'handbook', 'help'] as const
export type TemplateName = (typeof templateNames)[number]
