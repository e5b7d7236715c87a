/** Imports that the build resolves: style sheets, icons as the markup inside their `<svg>`, and the names of all, one a line. */
declare module '*.css'
declare module 'lucide:*' {
  const body: string
  export default body
}
declare module 'icon-names' {
  const names: string
  export default names
}
/** The text of a Markdown file. */
declare module '*.md' {
  const markdown: string
  export default markdown
}
