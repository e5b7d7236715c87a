/** Documents for tests of the editor: a text with every construct, opened as the editor opens it. */
import { EditorState } from 'prosemirror-state'
import type { Node as ProseNode } from 'prosemirror-model'
import { hashDocument } from '../../core/editing/canonical.js'
import { applySplices } from '../../core/editing/splice.js'
import { sourceOf } from '../../core/editing/testing.js'
import { BlocksReader, type OpaqueSpan } from './from-blocks.js'
import { keysPlugin } from './keys.js'
import { Origins } from './origins.js'
import { documentSchema } from './schema.js'
import { type BaseText, documentEdit } from './splices.js'

/** Written by hand: delimiters, wraps, escapes and markers are others than the formatter's. */
export const everyConstruct = `---
description: A page
---

# Title

Words with __bold__, _italic_, <u>underline</u>, ~~strike~~, \`code\`, <kbd>Esc</kbd>, x<sup>2</sup>, H<sub>2</sub>O,
a [link](other.md "Title"), <mark style="color:red;">colour</mark>, :smile: and a note[^1]. **_Both_ here** and
[a _linked_ word](../a%20b.md), an icon <i class="fa-bolt"></i>, $$x^2$$ and
<code class="expression">space.vars.name</code>.\\
A second line with <a href="x.md" class="button primary">Button</a> and ![picture](a.png) inline.

## Heading one <a href="#one" id="one"></a>

Heading two
-----------

*   first _item_
*   second item
    with two lines

    * nested
    * other

3) three
4) four

- [ ] open
- [x] done

> A quote
> of __two__ lines
>
> - with a list

{% hint style='warning' icon="bolt" %}
A _hint_.
{% endhint %}

{% code title='a.js' lineNumbers="true" overflow='wrap' %}
~~~js
const a = 1

run(a)
~~~
{% endcode %}

    indented code

$$
a + b
$$

***

<figure><img src="a.png" alt="A picture" width="300"><figcaption><p>Caption with <em>words</em></p></figcaption></figure>

![one](a.png) ![two](b.png)

{% file src=".gitbook/assets/a.pdf" %}
The file
{% endfile %}

{% embed url='https://example.com/video' %}

{% content-ref url="other.md" %}
[other.md](other.md)
{% endcontent-ref %}

{% include "../.gitbook/includes/part.md" %}

<details>

<summary>More <strong>about</strong> it</summary>

Inside.

</details>

{% tabs %}
{% tab title='One' %}
First _tab_.
{% endtab %}
{% tab title="Two" icon="bolt" %}
Second tab.
{% endtab %}
{% endtabs %}

{% stepper %}
{% step %}
### First step

Do this.
{% endstep %}

{% step %}
### Second step
{% endstep %}
{% endstepper %}

{% columns %}
{% column width="50%" %}
Left.
{% endcolumn %}
{% column %}
Right.
{% endcolumn %}
{% endcolumns %}

|a|b|
|:--|-|
|_one_|two \\| three|
|four||

<table data-view="cards"><thead><tr><th></th><th data-hidden data-card-target data-type="content-ref"></th><th data-type="rating" data-max="5">Stars</th><th data-type="checkbox">Done</th></tr></thead><tbody><tr><td><strong>Card</strong></td><td><a href="other.md">other.md</a></td><td>3</td><td><input type="checkbox" checked></td></tr></tbody></table>

{% if visitor.claims.plan == "pro" %}
Only for _some_.
{% endif %}

{% updates format="short" %}
{% update date="2026-01-31" tags="new,fixed" %}
What changed.
{% endupdate %}
{% endupdates %}

{% prompt description="Ask" %}
\`\`\`
Explain this.
\`\`\`
{% endprompt %}

{% openapi-operation spec="pets" path="/pets" method="get" %}
{% endopenapi-operation %}

{% @mermaid/diagram content="a" %}

<div align="center">

Centred _words_

</div>

<object data="a"></object>

The _last_ words.

[^1]: The *text* of a note.
`

export interface OpenDocument {
  readonly base: BaseText
  readonly state: EditorState
}

export function openText(text: string, asSource: readonly OpaqueSpan[] = []): OpenDocument {
  const origins = new Origins()
  const { doc, source } = new BlocksReader(documentSchema, text, origins, asSource).document(sourceOf(text))
  doc.check()
  return {
    base: { text, source, origins },
    state: EditorState.create({ doc, plugins: [keysPlugin(() => origins)] }),
  }
}

/** Returns the text after the edit of a document, and in which width it is what the document means. */
export function savedText(base: BaseText, doc: ProseNode): { readonly text: string; readonly width: number } {
  const edit = documentEdit(base, doc)
  if (edit === undefined) return { text: base.text, width: 0 }
  const texts = edit.widths.map((splices) => applySplices(base.text, splices))
  const width = texts.findIndex((text) => hashDocument(sourceOf(text)) === edit.meant)
  return { text: texts[Math.max(0, width)]!, width }
}

export interface FoundNode {
  readonly node: ProseNode
  readonly position: number
  readonly parent: ProseNode
}

/** Returns the block nodes of a document, in order. */
export function blockNodesOf(doc: ProseNode): FoundNode[] {
  const found: FoundNode[] = []
  doc.descendants((node, position, parent) => {
    if (node.isBlock) found.push({ node, position, parent: parent! })
  })
  return found
}
