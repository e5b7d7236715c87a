import { expect, test } from 'vitest'
import { describeEmbed, providerName } from './embeds.js'

const youTube = 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ'

test.each([
  // Frames of the providers that have them.
  ['https://www.youtube.com/watch?v=dQw4w9WgXcQ', 'YouTube', youTube],
  ['https://www.youtube.com/watch?list=x&v=dQw4w9WgXcQ&t=90s', 'YouTube', `${youTube}?start=90`],
  ['https://youtu.be/dQw4w9WgXcQ?t=1h1m1s', 'YouTube', `${youTube}?start=3661`],
  ['https://m.youtube.com/shorts/dQw4w9WgXcQ', 'YouTube', youTube],
  ['https://www.youtube.com/embed/dQw4w9WgXcQ?start=5', 'YouTube', `${youTube}?start=5`],
  ['https://vimeo.com/76979871', 'Vimeo', 'https://player.vimeo.com/video/76979871'],
  ['https://vimeo.com/76979871/8272103f6e', 'Vimeo', 'https://player.vimeo.com/video/76979871?h=8272103f6e'],
  ['https://www.loom.com/share/abc123', 'Loom', 'https://www.loom.com/embed/abc123'],
  ['https://open.spotify.com/track/5nTt', 'Spotify', 'https://open.spotify.com/embed/track/5nTt'],
  [
    'https://www.figma.com/design/K3y/A?node-id=1-2',
    'Figma',
    'https://www.figma.com/embed?embed_host=octavo&url=https%3A%2F%2Fwww.figma.com%2Fdesign%2FK3y%2FA%3Fnode-id%3D1-2',
  ],
  ['https://codepen.io/ann/pen/abC', 'CodePen', 'https://codepen.io/ann/embed/abC'],
  ['https://codesandbox.io/s/new-x1', 'CodeSandbox', 'https://codesandbox.io/embed/new-x1'],
  [
    'https://docs.google.com/document/d/1a_B-c/edit?usp=sharing',
    'Google Docs',
    'https://docs.google.com/document/d/1a_B-c/preview',
  ],
  [
    'https://docs.google.com/presentation/d/1a/edit',
    'Google Docs',
    'https://docs.google.com/presentation/d/1a/embed',
  ],
  ['https://miro.com/app/board/uXj_=/', 'Miro', 'https://miro.com/app/live-embed/uXj_=/'],
  // Other pages of theirs, and what is no id.
  ['https://www.youtube.com/', 'YouTube', undefined],
  ['https://www.youtube.com/watch?v=a"onload="x', 'YouTube', undefined],
  ['https://www.youtube.com/watch?v=../../x', 'YouTube', undefined],
  ['https://vimeo.com/about', 'Vimeo', undefined],
  ['https://docs.google.com/forms/d/1a/viewform', 'Google Docs', undefined],
  ['https://www.figma.com/@ann', 'Figma', undefined],
  ['https://github.com/octavo/octavo', 'GitHub', undefined],
  // Hosts that only look like one.
  ['https://youtube.com.example.com/watch?v=dQw4w9WgXcQ', 'youtube.com.example.com', undefined],
  ['https://constructor/x', 'constructor', undefined],
])('%s is of %s, in the frame %s', (url, site, frame) => {
  const described = describeEmbed(url)
  expect([described.site, described.frame]).toEqual([site, frame])
})

test('the title is the path, or the site where there is none', () => {
  expect(describeEmbed('https://www.example.com/a//b%20c/?q=1#x').title).toBe('a/b c')
  expect(describeEmbed('https://www.example.com').title).toBe('example.com')
  expect(describeEmbed('https://youtu.be/').title).toBe('YouTube')
  expect(describeEmbed('https://example.com/%E0%A4%A').title).toContain('%')
})

test('providers are known by their whole host', () => {
  expect(providerName('gist.github.com')).toBe('GitHub Gist')
  expect(providerName('toString')).toBeUndefined()
})
