/** A node of the Markdown syntax tree (mdast); its members depend on `type`. */
export interface SyntaxNode {
  readonly type: string
  readonly position: {
    readonly start: { readonly offset: number }
    readonly end: { readonly offset: number }
  }
  readonly children?: readonly SyntaxNode[]
  readonly value?: string
  readonly depth?: number
  readonly ordered?: boolean
  readonly start?: number | null
  readonly spread?: boolean
  readonly checked?: boolean | null
  readonly lang?: string | null
  readonly meta?: string | null
  readonly url?: string
  readonly title?: string | null
  readonly alt?: string | null
  readonly identifier?: string
  readonly align?: readonly (string | null)[]
}
