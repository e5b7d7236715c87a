/** Imports that the build resolves: style sheets, and icons as the markup inside their `<svg>`. */
declare module '*.css'
declare module 'lucide:*' {
  const body: string
  export default body
}
