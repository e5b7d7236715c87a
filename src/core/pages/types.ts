/**
 * Content snapshot of a space: a Git-like tree of files, and the page tree over it.
 *
 * A snapshot is six ordered maps, each a Merkle tree, so that two snapshots share their common
 * nodes, an edit writes only the nodes on its path, and a comparison skips equal hashes. `pages`, `files` and `names`
 * are the source of truth; `order`, `paths` and `links` are indexes derived from them and maintained by `draft.ts` alone.
 */
import type { ContentConfig } from '../config.js'
import type { PageMetadata } from '../document/metadata.js'
import type { FileId, Hash, PageId } from '../ids.js'
import type { MapRoot } from '../merkle/types.js'

export interface Snapshot {
  /** Page id → PageRecord. */
  readonly pages: MapRoot<PageRecord>
  /** `orderKey(parent, position, id)` → null: the children of a page in order are one range. */
  readonly order: MapRoot<null>
  /** Lower-case page path → page id, for all pages but links. */
  readonly paths: MapRoot<PageId>
  /** File id → FileRecord: uploaded or imported bytes. */
  readonly files: MapRoot<FileRecord>
  /** File path from the root of the tree → NameEntry: every file that an export writes. */
  readonly names: MapRoot<NameEntry>
  /** `linkKey(target, source)` → null: the backlinks of each target, whether or not it exists. */
  readonly links: MapRoot<null>
  readonly config: ContentConfig
}

/** The entry at a file path. */
export type NameEntry =
  | { readonly page: PageId }
  | { readonly file: FileId }
  /**
   * A text that is no page: SUMMARY.md, variables, includes, configuration. `id` names it as a reusable content, whose
   * `title` is that of its front matter.
   */
  | { readonly text: Hash; readonly size: number; readonly id?: string; readonly title?: string }

export type PageRecord = DocumentPage | GroupPage | LinkPage | ComputedPage

interface PageBase {
  readonly id: PageId
  /** Null for the top level. */
  readonly parent: PageId | null
  /** Fractional position among siblings; ties are broken by id. */
  readonly position: string
  readonly title: string
  readonly emoji?: string
  readonly icon?: string
  readonly hidden?: boolean
  /** Milliseconds since 1970; absent until known. */
  readonly createdAt?: number
  readonly updatedAt?: number
}

/** Includes all members of the front matter, which are derived from the text. */
export interface DocumentPage extends PageBase, Omit<PageMetadata, 'title'> {
  readonly type: 'document'
  /** The entry in the table of contents, where it does not follow from `title` and `linkTitle`; see `titles.ts`. */
  readonly contentsEntry?: ContentsEntry
  /** Last part of the path. */
  readonly slug: string
  /** Whole path, without leading slash. */
  readonly path: string
  /** File that holds the text, from the root of the tree. */
  readonly file: string
  /** The Markdown, exactly as written. Absent for a page whose file never existed. */
  readonly text?: Hash
  /** Bytes of the text. */
  readonly size?: number
  /** Where the latest import found it; absent for pages that no import brought. */
  readonly origin?: PageOrigin
  /** Source of a generated page, which is not stored. */
  readonly generated?: GeneratedFrom
}

/** Provenance of an imported page: it stays when the page moves, so that a later import finds it again. */
export interface PageOrigin {
  /** The file in the imported tree. */
  readonly file: string
  /** The source of a tree that was inserted beside other content, and the folder in which; absent for all others. */
  readonly source?: string
  readonly folder?: string
}

/** The entry of a page in the table of contents: the text of its link, and the title of the link in quotes. */
export interface ContentsEntry {
  readonly title: string
  readonly linkTitle?: string
}

/** An OpenAPI specification: one of the organization by its slug, or a file of the space as the entry names it. */
export type SpecificationName = { readonly spec: string } | { readonly file: string }

/** A version of an OpenAPI specification, and the part of it that a page documents. */
export type GeneratedFrom = SpecificationName & {
  /** Id of the computed page that it replaces. */
  readonly seed: PageId
  /** Id of the version, or the hash of the file. */
  readonly version: string
  readonly doc: 'info' | 'operations' | 'models'
  readonly page?: string
}

export interface GroupPage extends PageBase {
  readonly type: 'group'
  readonly slug: string
  readonly path: string
}

export interface LinkPage extends PageBase {
  readonly type: 'link'
  readonly url: string
}

/** A page generated from another source, for example an OpenAPI specification; the source is stored as written. */
export interface ComputedPage extends PageBase {
  readonly type: 'computed'
  readonly slug: string
  readonly path: string
  readonly source: string
}

export interface FileRecord {
  readonly id: FileId
  /** File path from the root of the tree. */
  readonly path: string
  /** Last part of the path. */
  readonly name: string
  readonly contentType: string
  readonly size: number
  /** SHA-256 of the bytes, base64url: their key in the file storage. */
  readonly hash: Hash
  readonly width?: number
  readonly height?: number
}
