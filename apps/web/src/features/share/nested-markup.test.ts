import { drawn } from "@docket/config/sampling"
import { MantineProvider } from "@mantine/core"
import fc from "fast-check"
import { createElement } from "react"
import { renderToString } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { Markdown } from "../markdown/markdown.tsx"
import { splitBlocks } from "../markdown/split-blocks.ts"
import { isTooNested } from "../markdown/too-nested.ts"
import { createMarkdownRenderer } from "./render-markdown.ts"

const share = createMarkdownRenderer({
  highlighter: { highlight: async () => null },
  tokenClass: "tk",
  plainClass: "plain",
  capacity: 1,
})

const times = (piece: string, count: number) => piece.repeat(count)

const bombs: Record<string, string> = {
  quotes: times(">", 3_000),
  "spaced quotes": `${times("> ", 3_000)}x`,
  "lists in lists": `${times("- ", 1_000)}x`,
  "numbered lists in lists": `${times("1. ", 3_000)}x`,
  "lists by indentation": Array.from({ length: 200 }, (_, depth) => `${times("  ", depth)}- a`).join("\n"),
  "many lines of lists in lists": times(`${times("- ", 30)}a\n`, 1_000),
  "footnotes in footnotes": `${times("[^a]: ", 3_000)}x\n\n[^a]`,
  "emphasis in emphasis": times("*a **a ", 3_000) + times("b** b* ", 3_000),
  "a run of stars": `${times("*", 3_000)}a${times("*", 3_000)}`,
  "stars that close nothing": times("a* ", 10_000),
  "links in links": `${times("[", 3_000)}a${times("](b)", 3_000)}`,
  "images in images": `${times("![", 3_000)}a${times("](b)", 3_000)}`,
  "brackets that close nothing": times("]", 10_000),
  "a wide table of short rows": `|${times("a|", 1_000)}\n|${times("-|", 1_000)}\n${times("|c\n", 1_000)}`,
  "references to one long address": `[a]: http://${times("x", 10_000)}\n\n${times("[a] ", 10_000)}`,
}

describe("nested markup", () => {
  for (const [name, text] of Object.entries(bombs)) {
    it(`of ${name} stays plain text without elements`, async () => {
      expect(splitBlocks(text).some(isTooNested)).toBe(true)
      const html = await share.markdown(text)
      expect(html).toContain('<div class="plain">')
      expect(html.match(/<\w/g)).toHaveLength(splitBlocks(text).length)
    })
  }

  it("stays text when nesting appears only after a streamed mark closes", () => {
    const text = `[${times(">", 3_000)}`
    expect(isTooNested(text)).toBe(false)
    const html = renderToString(
      createElement(MantineProvider, null, createElement(Markdown, { text, streaming: true })),
    )
    expect(deepestElement(html)).toBeLessThan(10)
  })

  it("leaves ordinary lists, large tables and nested code as they are", () => {
    const list = Array.from({ length: 300 }, (_, at) => `${times("  ", at % 6)}- **item** \`${at}\``).join("\n")
    const table = `| a | b | c |\n|---|---|---|\n${times("| ~1 | **2** | [3](https://e.test) |\n", 300)}`
    const code = `\`\`\`\n${times(">", 3_000)}\n${times("[", 3_000)}\n\`\`\``
    for (const text of [list, table, code, "> > > - 1. deep *and **strong***", times("- ", 20)]) {
      expect(isTooNested(text)).toBe(false)
    }
  })

  it("cannot break or flood a page, in the desk or in shares", async () => {
    const piece = fc.tuple(
      fc.constantFrom(
        ...[">", "> ", "- ", "1. ", "  ", "*", "**a ", " a**", "_a ", "~", "[", "](b)", "![", "]", "|", "|-|\n"],
        ...["[^a]: ", "`", "```\n", "<a ", "\n", "\n\n", "\t", "a", "# ", "\u202e", "é", "字", "http://a", "a@b.c"],
      ),
      fc.oneof(fc.nat(4), fc.nat(400)),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 8 }), fc.boolean(), async (pieces, streaming) => {
        const text = pieces.map(([mark, count]) => times(mark, count)).join("")
        const desk = renderToString(createElement(MantineProvider, null, createElement(Markdown, { text, streaming })))
        for (const html of [await share.markdown(text), desk]) {
          expect(deepestElement(html)).toBeLessThan(150)
          expect(html.length).toBeLessThan(50_000 + text.length * 200)
        }
      }),
      drawn(1_000, 200),
    )
  })
})

function deepestElement(html: string): number {
  let depth = 0
  let deepest = 0
  for (const [tag] of html.matchAll(/<\/?[a-z][^>]*>/g)) {
    if (/^<(?:br|hr|input|img)\b/.test(tag)) continue
    depth += tag.startsWith("</") ? -1 : 1
    deepest = Math.max(deepest, depth)
  }
  return deepest
}
