/** Writes the first page of a new space: empty unless a text is passed. */
import type { OrganizationId, PageId } from '../../core/ids.js'
import { emptySnapshot } from '../../core/pages/build.js'
import { editSnapshot } from '../../core/pages/edit.js'
import { defaultConfig } from '../../core/config.js'
import type { Snapshot } from '../../core/pages/types.js'
import { newId } from '../../access/ids.js'
import type { Services } from '../../access/route/scope.js'
import { run } from '../../store/content/objects.js'
import { createSink } from '../../store/content/sink.js'
import type { Tx } from '../../store/db/database.js'
import { describeInto } from './describe.js'

/** The page of a new space, until somebody writes one. */
export const blankPage = { title: 'Page', text: '# Page\n' }

export async function writeFirstPage(
  tx: Tx,
  { objects }: Pick<Services, 'objects'>,
  { organizationId, now }: { organizationId: OrganizationId; now: number },
  { title, text }: { readonly title: string; readonly text: string } = blankPage,
): Promise<Snapshot> {
  const sink = createSink(organizationId, objects)
  const page = {
    type: 'document',
    id: newId<PageId>(),
    title,
    text,
  } as const
  const step = editSnapshot(emptySnapshot(defaultConfig), [{ kind: 'insert-page', page, parent: null }], {
    sink,
    describe: describeInto(sink),
    now,
  })
  const { snapshot } = await run(step, { db: tx, organizationId, cache: objects, pending: sink })
  await sink.flush(tx)
  return snapshot
}
