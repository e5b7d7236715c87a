/**
 * Social preview image of a page, and icon of a site: PNG, drawn with the bundled font, so that it looks the same on every
 * machine. Characters that the font lacks are omitted instead of drawn as boxes; an image without a title still has the
 * name of the site.
 */
import { createRequire } from 'node:module'
import type { OverlayOptions } from 'sharp'
import { loadImageLibrary } from './library.js'

export interface Card {
  readonly site: string
  readonly title: string
  readonly description?: string
  /** As #rrggbb or #rgb. */
  readonly color: string
}

export const cardSize = { width: 1200, height: 630 } as const
export const signSize = 192

const margin = 80
const textWidth = cardSize.width - 2 * margin
/** Height of a title in pixels; the first font size that fits is used. */
const titleHeight = 270
/** Height of complete lines, when it is cropped: four of the smallest title, three of a description. */
const cutTitle = 248
const titleSizes = [76, 62, 50]
const cutDescription = 112
/** Characters that are drawn of user texts. */
const maxCharacters = { site: 60, title: 160, description: 220 } as const
/** Seconds for one text, on a busy machine. */
const drawTimeout = 10

const fonts = {
  Regular: createRequire(import.meta.url).resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
  Bold: createRequire(import.meta.url).resolve('@expo-google-fonts/inter/700Bold/Inter_700Bold.ttf'),
}

interface TextStyle {
  readonly size: number
  readonly weight: keyof typeof fonts
  readonly color: string
  readonly width?: number
}

interface DrawnText {
  readonly bytes: Buffer
  readonly width: number
  readonly height: number
}

/** Returns the social image of a page. */
export async function drawCard({ site, title, description, color }: Card): Promise<Uint8Array> {
  const library = await loadImageLibrary()
  const accent = colorOf(color)
  const [name, sign] = [drawable(site, maxCharacters.site), signOf(site)]
  const layers: OverlayOptions[] = []
  const put = (written: DrawnText | undefined, left: number, top: number): void => {
    if (written !== undefined)
      layers.push({ input: written.bytes, left: Math.round(left), top: Math.round(top) })
  }
  const letter = await drawText(sign, { size: 40, weight: 'Bold', color: onColor(accent) })
  if (letter !== undefined) put(letter, margin + (72 - letter.width) / 2, 72 + (72 - letter.height) / 2)
  const nameWidth = textWidth - 96
  const named = await drawText(name, { size: 34, weight: 'Bold', color: '#1f2430', width: nameWidth })
  if (named !== undefined && named.height < 90) put(named, margin + 96, 72 + (72 - named.height) / 2)
  let top = 196
  const titled = await drawTitle(drawable(title, maxCharacters.title))
  put(titled, margin, top)
  if (titled !== undefined) top += titled.height + 34
  const about = drawable(description ?? '', maxCharacters.description)
  const described = await drawText(about, { size: 30, weight: 'Regular', color: '#5b6270', width: textWidth })
  put(described && (await crop(described, Math.min(cutDescription, cardSize.height - 50 - top))), margin, top)
  return library(Buffer.from(background(accent)))
    .composite(layers)
    .png({ compressionLevel: 9 })
    .toBuffer()
}

/** Returns the icon of a site: its first letter on its colour. */
export async function drawSign({ site, color }: Pick<Card, 'site' | 'color'>): Promise<Uint8Array> {
  const library = await loadImageLibrary()
  const accent = colorOf(color)
  const letter = await drawText(signOf(site), { size: 112, weight: 'Bold', color: onColor(accent) })
  const plate = `<svg xmlns="http://www.w3.org/2000/svg" width="${signSize}" height="${signSize}"><rect width="${signSize}" height="${signSize}" rx="42" fill="${accent}"/></svg>`
  const layers =
    letter === undefined
      ? []
      : [
          {
            input: letter.bytes,
            left: Math.round((signSize - letter.width) / 2),
            top: Math.round((signSize - letter.height) / 2),
          },
        ]
  return library(Buffer.from(plate)).composite(layers).png({ compressionLevel: 9 }).toBuffer()
}

async function drawTitle(title: string): Promise<DrawnText | undefined> {
  let written: DrawnText | undefined
  for (const size of titleSizes) {
    written = await drawText(title, { size, weight: 'Bold', color: '#14171f', width: textWidth })
    if (written === undefined || written.height <= titleHeight) return written
  }
  return written && crop(written, cutTitle)
}

/** Returns a text as an image, limited to a width; undefined for an empty one. */
async function drawText(
  text: string,
  { size, weight, color, width }: TextStyle,
): Promise<DrawnText | undefined> {
  if (text === '') return undefined
  const library = await loadImageLibrary()
  const markup = `<span foreground="${color}">${text.replace(/[&<>]/g, (one) => `&#${one.charCodeAt(0)};`)}</span>`
  const { data, info } = await library({
    text: {
      text: markup,
      font: `Inter ${weight} ${size}`,
      fontfile: fonts[weight],
      // At this density a point is a pixel.
      dpi: 72,
      rgba: true,
      wrap: 'word-char',
      ...(width !== undefined && { width }),
    },
  })
    .timeout({ seconds: drawTimeout })
    .png()
    .toBuffer({ resolveWithObject: true })
  return { bytes: data, width: info.width, height: info.height }
}

async function crop(written: DrawnText, height: number): Promise<DrawnText | undefined> {
  if (height < 1) return undefined
  if (written.height <= height) return written
  const library = await loadImageLibrary()
  const bytes = await library(written.bytes)
    .extract({ left: 0, top: 0, width: written.width, height })
    .toBuffer()
  return { ...written, bytes, height }
}

/** Light, with the colour of the site at the bottom and in a corner. */
function background(color: string): string {
  const { width, height } = cardSize
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
<defs><radialGradient id="glow" cx="1" cy="1" r="0.9"><stop offset="0" stop-color="${color}" stop-opacity="0.28"/><stop offset="1" stop-color="${color}" stop-opacity="0"/></radialGradient></defs>
<rect width="${width}" height="${height}" fill="#ffffff"/><rect width="${width}" height="${height}" fill="url(#glow)"/>
<rect x="0" y="${height - 14}" width="${width}" height="14" fill="${color}"/>
<rect x="${margin}" y="72" width="72" height="72" rx="18" fill="${color}"/></svg>`
}

function colorOf(color: string): string {
  const [, short, long] = /^#(?:([0-9a-f]{3})|([0-9a-f]{6}))$/i.exec(color) ?? []
  if (short !== undefined) return `#${[...short].map((one) => one + one).join('')}`
  return long === undefined ? '#346ddb' : `#${long}`
}

/** Returns the text colour on a background: white, or nearly black on a light one. */
function onColor(color: string): string {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16)) as [
    number,
    number,
    number,
  ]
  return 0.299 * red + 0.587 * green + 0.114 * blue > 150 ? '#14171f' : '#ffffff'
}

/** Emoji, which the font does not have, and their modifiers. */
const emoji = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\u200d|\ufe0f|\u20e3/gu
/** Characters of the font: Latin, Greek and Cyrillic, and usual symbols. */
const known =
  /^[\u0020-\u007e\u00a0-\u00ac\u00ae-\u0148\u014a-\u01c3\u01c5-\u024f\u0386-\u03ce\u0400-\u0479\u048a-\u049d\u04a0-\u04ff\u1e00-\u1e9b\u1e9e-\u1eff\u2010-\u2027\u2030-\u203a\u20ac\u2122\u2190-\u2199\u2212]*$/u

/** Returns the drawable form of a text, truncated between words; empty when the font lacks letters of it. */
function drawable(text: string, length: number): string {
  const line = text
    .normalize('NFC')
    .replace(/(?![©®™])[^\S ]/gu, ' ')
    .replace(emoji, keepSigns)
  const words = line.replace(/ +/g, ' ').trim()
  if (!known.test(words)) return ''
  if (words.length <= length) return words
  const cutOff = words.slice(0, length)
  const blank = cutOff.lastIndexOf(' ')
  return `${blank > length / 2 ? cutOff.slice(0, blank) : cutOff}…`
}

function keepSigns(one: string): string {
  return known.test(one) ? one : ''
}

function signOf(site: string): string {
  const [first = ''] = drawable(site, maxCharacters.site).replace(/^[^\p{L}\p{N}]+/u, '')
  return first.toUpperCase()
}
