/**
 * Import samples: one for each source, with the page that is pictured before and after. The README in this folder names their
 * origins. Real samples are archives in this folder, or come from packages that tests need anyway.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { unzipSync, zipSync } from 'fflate'
import { confluenceSpace, githubWiki, googleDocument, notionPages } from './shapes.js'

export interface Sample {
  /** The value of `--from`; `openapi` is a page that renders a specification of its space. */
  readonly source: string
  /** File contents by name. */
  readonly files: Readonly<Record<string, Uint8Array>>
  /** The file that is pictured before the import, and the path of its page below the site. */
  readonly originalFile: string
  readonly page: string
}

const samplesFolder = dirname(fileURLToPath(import.meta.url))
const require = createRequire(import.meta.url)

function bytesOf(name: string): Uint8Array {
  return readFileSync(join(samplesFolder, name))
}

function textFiles(files: Readonly<Record<string, string>>): Sample['files'] {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]))
}

/** The documentation in a package. */
function documentationOf(name: string, folder: string): Sample['files'] {
  let above = dirname(require.resolve(name))
  while (!readdirSync(above).includes('package.json')) above = dirname(above)
  const root = join(above, folder)
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  return Object.fromEntries(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name)
      return [path.slice(root.length + 1), readFileSync(path)]
    }),
  )
}

/** Returns the bytes of a sample as one archive. */
export function archiveOf({ files }: Sample): Uint8Array {
  return zipSync(files)
}

export const samples: readonly Sample[] = [
  {
    source: 'website',
    files: unzipSync(bytesOf('itsdangerous-site.zip')),
    originalFile: 'serializer.html',
    page: 'serializer',
  },
  {
    source: 'html',
    files: unzipSync(bytesOf('click-html.zip')),
    originalFile: 'quickstart.html',
    page: 'quickstart',
  },
  {
    source: 'markdown',
    files: unzipSync(bytesOf('elsa-guide.zip')),
    originalFile: 'expressions/javascript.md',
    page: 'expressions/javascript',
  },
  {
    source: 'zip',
    files: documentationOf('undici', 'docs/docs'),
    originalFile: 'api/Errors.md',
    page: 'api/errors',
  },
  {
    source: 'docx',
    files: { 'click-options.docx': bytesOf('click-options.docx') },
    originalFile: 'click-options.docx',
    page: '',
  },
  { source: 'github-wiki', files: textFiles(githubWiki), originalFile: 'Home.md', page: '' },
  {
    source: 'confluence',
    files: textFiles(confluenceSpace),
    originalFile: 'Release-checklist_1002.html',
    page: 'release-checklist',
  },
  {
    source: 'notion',
    files: textFiles(notionPages),
    originalFile: `Onboarding ${'a'.repeat(32)}.html`,
    page: '',
  },
  { source: 'google-docs', files: textFiles(googleDocument), originalFile: 'FieldNotes.html', page: '' },
  {
    source: 'openapi',
    files: {
      'README.md': Buffer.from(
        '# Pets\n\n{% openapi src="petstore.yaml" path="/pet/findByStatus" method="get" %}\n{% endopenapi %}\n',
      ),
      'petstore.yaml': bytesOf('petstore.yaml'),
    },
    originalFile: 'petstore.yaml',
    page: '',
  },
]
