/**
 * View model of operations and schemas, as plain values: read from a specification of any version,
 * bounded, and the same for HTML, Markdown, search and PDF. Texts of authors are unchanged.
 */

export interface OperationView {
  readonly kind: 'operation' | 'webhook'
  /** In lower case. */
  readonly method: string
  /** Of an operation; of a webhook its name. */
  readonly path: string
  readonly operationId?: string
  readonly summary?: string
  /** Markdown. */
  readonly description?: string
  readonly isDeprecated: boolean
  /** Sunset of a deprecated operation, as written. */
  readonly sunset?: string
  readonly stability?: string
  readonly tags: readonly string[]
  readonly moreAbout?: LinkView
  readonly servers: readonly ServerView[]
  /** Alternatives, each of schemes that are required together; an empty one requires nothing. */
  readonly security: readonly (readonly SchemeView[])[]
  readonly parameters: readonly ParameterView[]
  readonly body?: BodyView
  readonly responses: readonly ResponseView[]
  readonly callbacks: readonly CallbackView[]
  /** The author's samples, instead of generated ones; `false` for none at all. */
  readonly samples?: readonly SampleView[] | false
  /** False where its author disabled the test panel. */
  readonly canTry: boolean
  readonly opensResponses: boolean
  readonly opensSchemas: boolean
  /** True where a part was omitted because of the limits. */
  readonly isCut: boolean
}

export interface LinkView {
  readonly url: string
  readonly description?: string
}

export interface ServerView {
  /** With its variables in braces. */
  readonly url: string
  /** With the default values of the variables. */
  readonly usual: string
  readonly description?: string
  readonly variables: readonly VariableView[]
}

export interface VariableView {
  readonly name: string
  readonly usual: string
  readonly choices: readonly string[]
  readonly description?: string
}

export interface SchemeView {
  readonly name: string
  readonly kind: 'bearer' | 'basic' | 'http' | 'apiKey' | 'oauth2' | 'openIdConnect' | 'mutualTLS'
  readonly place?: 'header' | 'query' | 'cookie'
  /** Of the header, parameter or cookie. */
  readonly field?: string
  /** Prefix of the secret. */
  readonly prefix?: string
  /** Placeholder of the secret. */
  readonly placeholder: string
  readonly description?: string
  /** Required OAuth scopes. */
  readonly scopes: readonly string[]
  readonly flows: readonly FlowView[]
}

export interface FlowView {
  readonly kind: string
  readonly authorizationUrl?: string
  readonly tokenUrl?: string
}

export type ParameterLocation = 'path' | 'query' | 'querystring' | 'header' | 'cookie'

export interface ParameterView {
  readonly name: string
  readonly place: ParameterLocation
  readonly isRequired: boolean
  readonly isDeprecated: boolean
  readonly description?: string
  readonly schema: SchemaView
  /** As it would be sent; undefined where none is declared and none can be generated. */
  readonly example?: string
  /** True where the example is declared. */
  readonly hasExample: boolean
}

export interface BodyView {
  readonly description?: string
  readonly isRequired: boolean
  readonly contents: readonly ContentView[]
}

export interface ContentView {
  readonly mediaType: string
  /** Other media types with the same content. */
  readonly alike: readonly string[]
  readonly schema?: SchemaView
  readonly examples: readonly ExampleView[]
}

export interface ExampleView {
  readonly name?: string
  readonly summary?: string
  readonly text: string
  /** Language of the text. */
  readonly syntax?: 'json' | 'xml' | 'yaml'
  /** True where it was generated from the schema. */
  readonly isMade: boolean
}

export interface ResponseView {
  /** A number, a range such as `4XX`, or `default`. */
  readonly status: string
  readonly description?: string
  readonly headers: readonly HeaderView[]
  readonly contents: readonly ContentView[]
}

export interface HeaderView {
  readonly name: string
  readonly isRequired: boolean
  readonly isDeprecated: boolean
  readonly description?: string
  readonly schema: SchemaView
}

export interface CallbackView {
  readonly name: string
  /** Callback address, as a runtime expression. */
  readonly expression: string
  readonly operation: OperationView
}

export interface SampleView {
  /** Language as its highlighter calls it. */
  readonly language: string
  readonly label: string
  readonly source: string
}

export type LimitKind =
  | 'minimum'
  | 'above'
  | 'maximum'
  | 'below'
  | 'multipleOf'
  | 'minLength'
  | 'maxLength'
  | 'minItems'
  | 'maxItems'
  | 'minProperties'
  | 'maxProperties'
  | 'pattern'
  | 'uniqueItems'

export interface LimitView {
  readonly kind: LimitKind
  readonly value: string
}

export interface ChoiceView {
  /** As JSON; texts without quotes. */
  readonly value: string
  readonly description?: string
}

export interface SchemaView {
  /** Name of its component. */
  readonly name?: string
  /** Such as `string`, `Pet[]` or `string | Pet`. */
  readonly type: string
  readonly format?: string
  readonly title?: string
  readonly description?: string
  readonly isNullable: boolean
  readonly isDeprecated: boolean
  readonly isReadOnly: boolean
  readonly isWriteOnly: boolean
  readonly limits: readonly LimitView[]
  readonly choices: readonly ChoiceView[]
  /** Number of values beyond those in `choices`, omitted because of the limits. */
  readonly moreChoices: number
  readonly constant?: string
  readonly usual?: string
  readonly example?: string
  /** Members of an object, or of the objects of a list. */
  readonly properties?: readonly PropertyView[]
  /** Schema of additional members; `true` for any. */
  readonly others?: SchemaView | true
  /** Schema of list items, where it has more than a type. */
  readonly items?: SchemaView
  readonly alternatives?: AlternativesView
  readonly excluded?: SchemaView
  /** True for a recursive occurrence, described at its ancestor. */
  readonly isCircular?: true
  /** Names of enclosing schemas whose members it has too: they are described there. */
  readonly enclosingBases?: readonly string[]
  /** True where its members were omitted because of the limits. */
  readonly isCut?: true
}

export interface PropertyView {
  readonly name: string
  readonly isRequired: boolean
  /** True where the name is a pattern of names. */
  readonly isPattern: boolean
  readonly schema: SchemaView
}

export interface AlternativesView {
  readonly kind: 'oneOf' | 'anyOf'
  readonly schemas: readonly SchemaView[]
  readonly discriminator?: DiscriminatorView
}

export interface DiscriminatorView {
  readonly property: string
  /** Mapping from values to schemas. */
  readonly mapping: readonly { readonly value: string; readonly schema: string }[]
}

/** A part of a specification, or the specification itself, that does not exist. */
export interface MissingPart {
  readonly kind: 'specification' | 'operation' | 'webhook' | 'schema'
  /** Slug or address, method and path, or names of schemas. */
  readonly names: readonly string[]
}

/** View of one API block. */
export interface SpecificationView {
  readonly operation?: OperationView
  /** Generated samples of the request, where the author declared none. */
  readonly samples?: readonly SampleView[]
  readonly schemas?: readonly SchemaView[]
  /** What does not exist of what the block names. */
  readonly missing?: MissingPart
  /** True for the details that a page with very many API blocks leaves out. */
  readonly isLeftOut?: true
  /** Address of the whole specification, where parts of the view were omitted. */
  readonly whole?: { readonly href: string; readonly name: string }
  /** Why there is no content: the error, without a full stop, or that the file is being processed. */
  readonly unread?: { readonly problem: string } | 'waiting'
}
