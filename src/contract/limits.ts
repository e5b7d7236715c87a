/**
 * Limits of requests and of what they create. The HTTP interface checks sizes before it parses, so that no hostile
 * request costs more memory than an honest one; `docs/api/limits.md` documents them, and a test compares the two.
 */
import { maxPathBytes, maxFolderDepth } from '../core/pages/paths.js'

export const limits = {
  /** Bytes of a JSON body. */
  bodyBytes: 10_000_000,
  /** Splices of one edit of a text. */
  textSplices: 1_000,
  /** Revisions that one response of a page's history examines. */
  examinedRevisions: 500,
  /** Versions of a text that blame compares. */
  blamedVersions: 200,
  /** Pages of one restore. */
  restoredPages: 1_000,
  /** Redirects of a site in one request, or one import. */
  redirectsAtOnce: 10_000,
  /** Nesting of objects and lists. */
  jsonDepth: 64,
  /** Values of a JSON body together: members of objects and items of lists, however deep. */
  jsonValues: 100_000,

  /** Characters of a URL with its query. */
  addressLength: 8_000,
  /** Characters of one part of it between slashes. */
  addressPart: 2_048,
  /** Members of a query, each as often as it is repeated. */
  queryMembers: 100,
  /** Bytes of all headers together, cookies among them. */
  headerBytes: 16_384,

  /** Fields of a form besides its file, and bytes of each. */
  formFields: 20,
  formFieldBytes: 10_000,
  /** Bytes of an uploaded file. */
  fileBytes: 100_000_000,

  /** Bytes of an archive, and of what it unpacks to. */
  archiveBytes: 1_000_000_000,
  archiveUnpackedBytes: 4_000_000_000,
  /** Files in an archive, and how many times larger than its packed form one over a megabyte may be. */
  archiveFiles: 50_000,
  archiveRatio: 200,
  /** Bytes of an entry besides its name: comment and extra fields. */
  archiveEntryExtra: 1_024,
  /** Nesting of folders, and bytes of a path. */
  pathFolders: maxFolderDepth,
  pathBytes: maxPathBytes,
  /** Bytes of an OpenAPI specification, with all that it refers to, and how many documents that may be. */
  specificationBytes: 50_000_000,
  specificationDocuments: 200,
  /** Bytes of a JSON body that carries one. */
  specificationBodyBytes: 60_000_000,
  /** Timeout for each of them in seconds. */
  specificationSeconds: 60,
  /** Bytes of one that is a file of a space, for the blocks that name it. */
  specificationFileBytes: 10_000_000,

  /**
   * Characters of an XLIFF file, bytes of a JSON body that carries one, nesting of elements, translation units,
   * characters of each.
   */
  xliffLength: 20_000_000,
  xliffBodyBytes: 50_000_000,
  xliffDepth: 32,
  xliffUnits: 200_000,
  xliffText: 100_000,

  /** Timeout for one fetched URL in seconds. */
  fetchSeconds: 600,
  /** Seconds after which an unfinished import is answered with 202 and the URL of its status. */
  importSeconds: 50,
  /** Pages of a website, and links from its first page to the last ones. */
  websitePages: 5_000,
  websiteDepth: 1_000,
  /** Bytes of one of its pages. */
  websitePageBytes: 20_000_000,
  /** Pictures of a website, and bytes of one. */
  websiteImages: 5_000,
  websiteImageBytes: 20_000_000,
  /** Bytes of a table of contents. */
  summaryBytes: 1_000_000,

  /** Pages of a space in one PDF, and bytes of the pictures in it. */
  pdfPages: 2_000,
  pdfPictureBytes: 400_000_000,
  /** PDFs of an organization in progress at the same time. */
  pdfsAtOnce: 20,
  /** Seconds that a request waits for a PDF. */
  pdfSeconds: 50,

  /** Seconds that a request may ask to wait with `Prefer: wait`. */
  waitSeconds: 10,

  /** Sections and groups of a site together: every page contains them all. */
  siteSections: 200,
  /** Characters of a visitor schema. */
  visitorSchemaLength: 32_000,

  /** Characters of an e-mail address. */
  emailLength: 254,
  /** Bytes of a sign-in form. */
  signInFormBytes: 20_000,
  /** Characters of an identity provider's response; its elements and attributes, and their nesting. */
  samlLength: 400_000,
  xmlElements: 2_000,
  xmlAttributes: 5_000,
  xmlDepth: 40,
} as const
