/** The words of a comment: its document, in the constructs that comments are written in; others are displayed as their words. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { getUser } from '../../contract/users.js'
import { api } from '../api/client.js'
import { readEmoji } from '../ui/display.js'

/** A node of the document's JSON, as the API returns it. */
interface Node {
  readonly object?: string
  readonly type?: string
  readonly data?: Readonly<Record<string, unknown>>
  readonly text?: string
  readonly marks?: readonly { readonly type: string }[]
  readonly nodes?: readonly Node[]
  readonly leaves?: readonly Node[]
  readonly fragments?: readonly Node[]
}

export function CommentText({ document }: { readonly document: object | undefined }) {
  return (
    <div className="comment-text" dir="auto">
      {childrenOf((document ?? {}) as Node)}
    </div>
  )
}

function childrenOf({ nodes = [], leaves = [], fragments = [] }: Node): ReactNode[] {
  return [...nodes, ...leaves, ...fragments].map((node, at) => <NodeView key={at} node={node} />)
}

const marks: Readonly<Record<string, 'strong' | 'em' | 's' | 'code' | 'sub' | 'sup'>> = {
  bold: 'strong',
  italic: 'em',
  strikethrough: 's',
  code: 'code',
  subscript: 'sub',
  superscript: 'sup',
}

function NodeView({ node }: { readonly node: Node }): ReactNode {
  const { object, type = '', data = {} } = node
  if (object === 'leaf') {
    return (node.marks ?? []).reduce<ReactNode>(
      (inner, { type: name }) => {
        const Mark = marks[name]
        return Mark === undefined ? inner : <Mark>{inner}</Mark>
      },
      lines(node.text ?? ''),
    )
  }
  const inner = childrenOf(node)
  if (object !== 'block' && object !== 'inline') return <>{inner}</>
  switch (type) {
    case 'list-unordered':
    case 'list-tasks':
      return <ul>{inner}</ul>
    case 'list-ordered':
      return <ol>{inner}</ol>
    case 'list-item':
      return (
        <li>
          {typeof data['checked'] === 'boolean' && (data['checked'] ? '☑ ' : '☐ ')}
          {inner}
        </li>
      )
    case 'blockquote':
    case 'hint':
      return <blockquote>{inner}</blockquote>
    case 'code':
      return (
        <pre>
          <code>{inner}</code>
        </pre>
      )
    case 'code-line':
      return (
        <>
          {inner}
          {'\n'}
        </>
      )
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
      return <p className="comment-heading">{inner}</p>
    case 'paragraph':
      return <p>{inner}</p>
    case 'divider':
      return <hr />
    case 'emoji':
      return readEmoji(String(data['code'] ?? ''))
    case 'inline-math':
      return <code>{String(data['formula'] ?? '')}</code>
    case 'mention':
      return <Mention reference={data['ref']} />
    case 'link':
    case 'button': {
      const href = urlOf(data['ref'])
      return href === undefined ? (
        <>{inner}</>
      ) : (
        <a href={href} rel="noopener nofollow" target="_blank">
          {inner}
        </a>
      )
    }
    default:
      return object === 'block' ? <div>{inner}</div> : <>{inner}</>
  }
}

function lines(words: string): ReactNode {
  const [first, ...rest] = words.split('\n')
  if (rest.length === 0) return first
  return (
    <>
      {first}
      {rest.map((line, at) => (
        <span key={at}>
          <br />
          {line}
        </span>
      ))}
    </>
  )
}

/** Addresses of other kinds run scripts. */
function urlOf(ref: unknown): string | undefined {
  const { url } = (ref ?? {}) as { readonly url?: unknown }
  return typeof url === 'string' && /^(?:https?:\/\/|mailto:|\/|#)/i.test(url) ? url : undefined
}

function Mention({ reference }: { readonly reference: unknown }) {
  const { user } = (reference ?? {}) as { readonly user?: unknown }
  const userId = typeof user === 'string' ? user : undefined
  const { data } = useQuery({
    queryKey: ['user', userId],
    queryFn: ({ signal }) => api.call(getUser, { params: { userId: userId! }, signal }),
    enabled: userId !== undefined,
    staleTime: 600_000,
  })
  return <span className="comment-mention">@{data?.displayName ?? '…'}</span>
}
