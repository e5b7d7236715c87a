/**
 * What a reference shows of an operation and of schemas, as plain values: read from a specification of any version,
 * bounded, and the same for HTML, Markdown, search and paper. Texts of people are as they wrote them.
 */

export interface OperationView {
  readonly kind: 'operation' | 'webhook'
  /** In small letters. */
  readonly method: string
  /** Of an operation; of a webhook its name. */
  readonly path: string
  readonly operationId?: string
  readonly summary?: string
  /** Markdown. */
  readonly description?: string
  readonly isDeprecated: boolean
  /** Until when something deprecated works, as it was written. */
  readonly sunset?: string
  readonly stability?: string
  readonly tags: readonly string[]
  readonly moreAbout?: LinkView
  readonly servers: readonly ServerView[]
  /** Ways to be let in, each of several things together; an empty one needs nothing. */
  readonly security: readonly (readonly SchemeView[])[]
  readonly parameters: readonly ParameterView[]
  readonly body?: BodyView
  readonly responses: readonly ResponseView[]
  readonly callbacks: readonly CallbackView[]
  /** Those of its author, in place of made ones; `false` for none at all. */
  readonly samples?: readonly SampleView[] | false
  /** False where its author offers no panel to try it. */
  readonly canTry: boolean
  readonly opensResponses: boolean
  readonly opensSchemas: boolean
  /** True where some of it was left out, because it is too much. */
  readonly isCut: boolean
}

export interface LinkView {
  readonly url: string
  readonly description?: string
}

export interface ServerView {
  /** With its variables in braces. */
  readonly url: string
  /** With what the variables are unless somebody says otherwise. */
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
  /** Stands before the secret. */
  readonly prefix?: string
  /** Stands in place of the secret. */
  readonly placeholder: string
  readonly description?: string
  /** What somebody must be allowed, of OAuth. */
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
  /** As it would be sent; undefined where nobody gave one and none can be made. */
  readonly example?: string
  /** True where its author gave the example. */
  readonly hasExample: boolean
}

export interface BodyView {
  readonly description?: string
  readonly isRequired: boolean
  readonly contents: readonly ContentView[]
}

export interface ContentView {
  readonly mediaType: string
  /** Further media types of which the same is reported. */
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
  /** True where it was made from the schema. */
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
  /** Address that is called, as an expression. */
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
  /** As JSON says it; texts without quotes. */
  readonly value: string
  readonly description?: string
}

export interface SchemaView {
  /** Of the component that it is. */
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
  /** How many more values there are than `choices` holds. */
  readonly moreChoices: number
  readonly constant?: string
  readonly usual?: string
  readonly example?: string
  /** Members of an object, or of the objects of a list. */
  readonly properties?: readonly PropertyView[]
  /** What further members are; `true` for anything. */
  readonly others?: SchemaView | true
  /** What the entries of a list are, where they are more than their type says. */
  readonly items?: SchemaView
  readonly alternatives?: AlternativesView
  readonly excluded?: SchemaView
  /** True where it is in itself, and is reported there. */
  readonly isCircular?: true
  /** True where what is in it was left out, because it is too much. */
  readonly isCut?: true
}

export interface PropertyView {
  readonly name: string
  readonly isRequired: boolean
  /** True where the name is a pattern that names fit. */
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
  /** Which value stands for which schema. */
  readonly mapping: readonly { readonly value: string; readonly schema: string }[]
}

/** What one block shows of a specification. */
export interface SpecificationView {
  readonly operation?: OperationView
  /** Of the request of the operation, where its author gave none. */
  readonly samples?: readonly SampleView[]
  readonly schemas?: readonly SchemaView[]
  /** Where all of the specification is read, of which something was left out. */
  readonly whole?: { readonly href: string; readonly name: string }
  /** Present where its file says nothing: what is wrong with it, without a full stop, or that it is being read. */
  readonly unread?: { readonly problem: string } | 'waiting'
}
