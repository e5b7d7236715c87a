/** Content configuration (`.gitbook.yaml`) of a repository or a space. */

export interface ContentConfig {
  /** Folder of the content, without leading or trailing slash; empty for the root. */
  readonly root: string
  /** File name of a folder's own page, for example `README.md`. */
  readonly readme: string
  /** File of the table of contents, relative to `root`. */
  readonly summary: string
  /** Old page path → the file it is in now, relative to `root`, with a fragment or without; or a web address. */
  readonly redirects: Readonly<Record<string, string>>
}

export const defaultConfig: ContentConfig = {
  root: '',
  readme: 'README.md',
  summary: 'SUMMARY.md',
  redirects: {},
}
