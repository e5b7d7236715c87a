import { describe, expect, it } from 'vitest'
import type { Block } from '../document/types.js'
import { anchorOf, createAnchors, plainAnchor } from './anchors.js'
import { parsePage } from './parse.js'

describe('anchors as GitBook makes them', () => {
  it.each([
    ['Getting started', 'getting-started'],
    ['cb_action_cmd/0', 'cb_action_cmd-0'],
    ['Math & TeX', 'math-and-tex'],
    ['1. Create a workspace', 'id-1.-create-a-workspace'],
    ['<class>', 'less-than-class-greater-than'],
    ['‹class›', 'less-than-class-greater-than'],
    ['XSS + Clickjacking', 'xss-clickjacking'],
    ["What's new, and why it’s good?", 'whats-new-and-why-its-good'],
    ["'quoted' “words”", 'quoted-words'],
    ['AT&T | C++ ∞', 'at-and-t-or-c-infinity'],
    ['$5 or 100 %', 'usd5-or-100'],
    ['.env', '.env'],
    ['@scope/package -- a — b', 'scope-package-a-b'],
    ['2FA', 'id-2fa'],
    ['⚠️ Warning', 'warning'],
    ['🎉 Party 🎉', 'party'],
    ['Criação do cabeçalho', 'criacao-do-cabecalho'],
    ['Über Größe', 'ueber-groesse'],
    ['Câu hỏi đường', 'cau-hoi-duong'],
    ['Zażółć gęślą jaźń', 'zazolc-gesla-jazn'],
    ['Установка: настройка, объём', 'ustanovka-nastroika-obyom'],
    ['Ελλάδα Ως', 'ellada-os'],
    ['ქართული', 'kartuli'],
    ['مرحبا', 'mrhba'],
    ['上下文切换', 'shang-xia-wen-qie-huan'],
    ['1. 安装/配置 CPU', 'id-1.-an-zhuang-pei-zhi-cpu'],
    ['使用率、旅行', 'shi-yong-lv-lv-xing'],
    ['繁體中文設定', 'fan-ti-zhong-wen-she-ding'],
    ['PortalDots について', 'portaldots-nitsuite'],
    ['■ 本アプリについて', 'apurinitsuite'],
    ['Q. とは何ですか?', 'q-tohadesuka'],
    ['セキュリティ', 'sekyuriti'],
    ['マッチ がっこう チェック ファイル ウェブ', 'matchi-gakkou-chekku-fairu-webu'],
    ['CPU 대기큐', 'cpu'],
    ['대기큐', '대기큐'],
    ['שלום ️עולם', 'שלום-עולם'],
    ['…', ''],
    ['***', ''],
  ])('%s', (text, expected) => {
    expect(anchorOf(text)).toBe(expected)
  })
})

/** Every anchor and alias of a text with its target. */
function targetsByAnchor(text: string): Record<string, string> {
  const found: Record<string, string> = {}
  const read = ({ anchor, aliases = [] }: { anchor: string; aliases?: readonly string[] }) => {
    for (const alias of aliases) found[alias] = anchor
  }
  for (const block of parsePage(text).document.blocks as readonly Block[]) {
    if (block.type === 'tabs') block.tabs.forEach(read)
    else if (block.type === 'heading' || block.type === 'expandable') read(block)
  }
  return found
}

describe('former anchors', () => {
  it('stay valid', () => {
    expect(targetsByAnchor('## Math & TeX\n\n## 中文\n\n## 中文\n\n## Plain')).toEqual({
      'math-tex': 'math-and-tex',
      中文: 'zhong-wen',
      '中文-1': 'zhong-wen-1',
    })
  })

  it('include those of GitBook', () => {
    expect(targetsByAnchor('## 9.1. Points\n\n## Node.js')).toEqual({
      '9.1.-points': 'id-9.1.-points',
      '9-1-points': 'id-9.1.-points',
      'node-js': 'node.js',
    })
  })

  it('yield to current anchors', () => {
    expect(targetsByAnchor('## a & b\n\n## a b\n\n## a/b')).toEqual({ ab: 'a-b-1' })
  })

  it('exist for tabs and expandables', () => {
    const text =
      '{% tabs %}\n{% tab title="a & b" %}\nx\n{% endtab %}\n{% endtabs %}\n\n<details><summary>c/d</summary></details>'
    expect(targetsByAnchor(text)).toEqual({ 'a-b': 'a-and-b', cd: 'c-d' })
  })

  it('do not exist for explicit ids', () => {
    expect(targetsByAnchor('## Math & TeX <a href="#math" id="math"></a>')).toEqual({})
  })
})

it('numbers headings without transliteration as GitBook does', () => {
  expect(targetsByAnchor('## 하나\n\n## 둘\n\n## One')).toEqual({ undefined: '하나', 'undefined-1': '둘' })
})

it('takes constant work per repeated name', () => {
  const anchors = createAnchors()
  const taken = Array.from({ length: 2000 }, () => anchors.take('a', 'heading').anchor)
  expect(new Set(taken).size).toBe(2000)
  expect(taken.at(-1)).toBe('a-1999')
})

it('preserves all letters in untransliterated anchors', () => {
  expect(plainAnchor('Ün ïcode & 中文 -x-')).toBe('ün-ïcode-中文-x')
})

it.each(['## ', '##', '### #', '<h2></h2>', '## &nbsp;'])(
  'makes nothing of a heading without anything: %j',
  (text) => {
    const { blocks } = parsePage(`a\n\n${text}\n\nb`).document
    expect(blocks.filter((block) => block.type === 'heading' && block.anchor === 'heading')).toEqual([])
  },
)
