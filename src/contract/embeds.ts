/** Embeds: what a renderer shows in place of the address of another site. */
import Type, { type Static } from 'typebox'
import { endpoint } from './endpoint.js'
import { Words, shape } from './shapes.js'

export const Embed = shape(
  'Embed',
  Type.Object({
    type: Words(['link', 'rich'], {
      description: 'How it is shown: "link" as a card with title and site, "rich" as the markup in `html`.',
    }),
    title: Type.String(),
    site: Type.String({ description: 'Name of a known provider, else the host.' }),
    html: Type.Optional(
      Type.String({ description: 'For "rich": a frame of the provider that shows the page.' }),
    ),
    embedUrl: Type.Optional(Type.String({ description: 'For "rich": the address of the frame.' })),
  }),
)
export type Embed = Static<typeof Embed>

const EmbedQuery = Type.Object({
  url: Type.String({ maxLength: 2048, description: 'An http or https address, as its author wrote it.' }),
})

export const getEmbed = endpoint('getEmbedByUrl', 'GET', '/urls/embed', {
  summary: 'Get an embed by URL',
  description:
    'Returns what to show in place of an address. It follows from the address alone: nothing is fetched.',
  tag: 'URLs',
  readers: true,
  query: EmbedQuery,
  reply: Embed,
})

export const getEmbedInSpace = endpoint('getEmbedByUrlInSpace', 'GET', '/spaces/:spaceId/embed', {
  summary: 'Get an embed of a space by URL',
  description:
    'Returns what to show in place of an address in the content of a space. It follows from the address alone: nothing is fetched.',
  tag: 'Spaces',
  readers: true,
  query: EmbedQuery,
  reply: Embed,
})
