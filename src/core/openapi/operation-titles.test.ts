import { expect, test } from 'vitest'
import { parsePage } from '../markdown/parse.js'
import { withoutOperationTitles } from './operation-titles.js'

const operation = '{% openapi-operation spec="a" path="/a" method="get" %}\n{% endopenapi-operation %}'
const webhook = '{% openapi-webhook spec="a" name="a" method="post" %}\n{% endopenapi-webhook %}'

test('drops the headings directly above operations and webhooks, and no other', () => {
  const text = ['Words.', '## One', operation, '## Two', webhook, '## About', 'Words.', operation, '## Last']
  const { blocks } = withoutOperationTitles(parsePage(text.join('\n\n')).document)
  expect(blocks.map(({ type }) => type)).toEqual([
    'paragraph',
    'openapi-operation',
    'openapi-webhook',
    'heading',
    'paragraph',
    'openapi-operation',
    'heading',
  ])
})
