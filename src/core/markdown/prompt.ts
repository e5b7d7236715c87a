/** `{% prompt description="…" icon="…" %}` one fence `{% endprompt %}`: a prompt for an AI assistant. */
import type { Prompt } from '../document/types.js'
import { plainText } from '../document/plain-text.js'
import { type Construct, spanOf } from './construct.js'
import { defined } from './reader.js'
import { attributeFlag, attributeOneOf, attributeValue, formatTag } from './tags.js'

const states = ['hidden', 'partial', 'full'] as const

export const prompt: Construct = {
  ending: 'next block',
  read(node, reader) {
    const { attributes } = node.tag
    const blocks = reader.blocks(node.children)
    const text = blocks
      .map((block) => (block.type === 'code' ? block.code : plainText({ blocks: [block] })))
      .join('\n\n')
    if (blocks.length !== 1 || blocks[0]!.type !== 'code') {
      reader.problem('A prompt holds one code fence', node.tag.span)
    }
    return [
      defined({
        type: 'prompt' as const,
        span: spanOf(node),
        description: attributeValue(attributes, 'description') ?? '',
        icon: attributeValue(attributes, 'icon'),
        openInAIProviders: attributes.has('openInAIProviders')
          ? attributeFlag(attributes, 'openInAIProviders')
          : undefined,
        defaultExpanded: attributeOneOf(attributes, 'defaultExpanded', states),
        text,
      }),
    ]
  },
}

/** Returns the opening tag. */
export function formatPrompt(
  prompt: Pick<Prompt, 'description' | 'icon' | 'openInAIProviders' | 'defaultExpanded'>,
): string {
  const { description, icon, openInAIProviders, defaultExpanded } = prompt
  return formatTag('prompt', { description, icon, openInAIProviders, defaultExpanded })
}
