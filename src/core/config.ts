/** What `.gitbook.yaml` says of the content of a repository, or of a space. */

export interface ContentConfig {
  /** Folder of the content, no leading or trailing slash; empty for the top. */
  readonly root: string
  /** File name of a folder's own page, for example `README.md`. */
  readonly readme: string
  /** File of the table of contents, relative to `root`. */
  readonly summary: string
  /** Old page path → file it now stands in, relative to `root`. */
  readonly redirects: Readonly<Record<string, string>>
}

export const defaultConfig: ContentConfig = {
  root: '',
  readme: 'README.md',
  summary: 'SUMMARY.md',
  redirects: {},
}
