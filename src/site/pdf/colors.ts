/** Colours of PDFs: those that authors can name, syntax colours, and HTTP methods, as on a light page. */

const textColors = new Map([
  ['red', '#b42318'],
  ['orange', '#b54708'],
  ['yellow', '#8a6100'],
  ['green', '#116b3a'],
  ['blue', '#1c57b8'],
  ['purple', '#6a2fb0'],
  ['primary', '#2f62c9'],
  ['info', '#1c57b8'],
  ['success', '#116b3a'],
  ['warning', '#8a6100'],
  ['danger', '#b42318'],
])
const backgroundColors = new Map([
  ['red', '#fbdfdc'],
  ['orange', '#fde6cf'],
  ['yellow', '#fbf0c4'],
  ['green', '#d9f2e2'],
  ['blue', '#dce8fb'],
  ['purple', '#ebe0fa'],
  ['primary', '#dfe8fb'],
  ['info', '#dce8fb'],
  ['success', '#d9f2e2'],
  ['warning', '#fbf0c4'],
  ['danger', '#fbdfdc'],
])

export const textColor = (name: string | undefined): string | undefined => textColors.get(name ?? '')
export const backgroundColor = (name: string | undefined): string | undefined =>
  backgroundColors.get(name ?? '')

export const inkColor = '#1f2430'
export const softColor = '#5b6270'

/** By the suffix of `hljs-` classes. */
const codeColors = new Map<string, string>()
for (const [color, names] of [
  ['#5d6675', 'comment quote meta'],
  ['#8a2fb0', 'keyword selector-tag doctag section'],
  ['#17693b', 'string regexp selector-attr'],
  ['#a04209', 'number literal symbol bullet link'],
  ['#1c57b8', 'title name selector-id selector-class'],
  ['#0d6472', 'attr attribute variable template-variable property'],
  ['#8a5300', 'built_in type'],
  ['#116b3a', 'addition'],
  ['#b42318', 'deletion'],
] as const)
  for (const name of names.split(' ')) codeColors.set(name, color)

export const codeColor = (name: string | undefined): string | undefined => codeColors.get(name ?? '')

const methodColors = new Map([
  ['get', '#1c6fb8'],
  ['post', '#17793f'],
  ['put', '#a35a00'],
  ['patch', '#8a6100'],
  ['delete', '#b42318'],
])
export const methodColor = (name: string | undefined): string => methodColors.get(name ?? '') ?? softColor
