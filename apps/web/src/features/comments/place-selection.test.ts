import { drawn } from "@docket/config/sampling"
import fc from "fast-check"
import { createElement } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { expect, test } from "vitest"
import { Markdown } from "../markdown/markdown.tsx"
import { findDrawn, placeSelection } from "./place-selection.ts"
import { visibleMarkdown } from "./visible-markdown.ts"
import { visibleInputs, visibleOutputs } from "./visible-output.ts"
import { squeeze, visiblePlain } from "./visible-text.ts"

const entities: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', "#x27": "'" }

/** The text that HTML shows, without its buttons. */
function shownText(html: string): string {
  return html
    .replace(/<button[\s\S]*?<\/button>/g, "")
    .replace(/<[^>]*>/g, "")
    .replace(/&(lt|gt|amp|quot|#x27);/g, (_, name: string) => entities[name] ?? "")
}

/** The text that the transcript draws for a Markdown source. */
function drawnText(text: string): string {
  return shownText(renderToStaticMarkup(createElement(Markdown, { text, streaming: false })))
}

/** The piece of the source that is found for selected words. */
function chosen(source: string, words: string): string | null {
  const text = drawnText(source)
  const at = text.indexOf(words)
  const range = placeSelection(visibleMarkdown(source), { text, from: at, to: at + words.length })
  return range && source.slice(range.from, range.to)
}

test("words of rendered Markdown are found in their source", () => {
  expect(chosen("It is **very** good, *they* say.", "very good, they")).toBe("very** good, *they")
  expect(chosen("See [the docs](https://a.b/docs) there", "the docs there")).toBe("the docs](https://a.b/docs) there")
  expect(chosen("a &amp; b &lt;tag&gt; \\*no emphasis\\*", "& b <tag> *no")).toBe("&amp; b &lt;tag&gt; \\*no")
  expect(chosen("- one\n- two `code` and\n  more", "code and\nmore")).toBe("code` and\n  more")
  expect(chosen("> quoted\n> text here", "quoted\ntext")).toBe("quoted\n> text")
  expect(chosen("Before\n\n```ts\nconst a = 1\nif (a > 0) b()\n```\n\nAfter", "a = 1\nif (a > 0)")).toBe(
    "a = 1\nif (a > 0)",
  )
  expect(chosen("1. item\n\n   ```\n   in list\n   next\n   ```", "list\nnext")).toBe("list\n   next")
  expect(chosen("# Title\n\nText 👩‍💻 end", "👩‍💻 e")).toBe("👩‍💻 e")
  expect(chosen("| a | b |\n| - | - |\n| one | two |", "two")).toBe("two")
  expect(chosen("<b>raw</b> html", "<b>raw</b>")).toBe("<b>raw</b>")
})

test("repeated words are told apart by context, or not placed", () => {
  const source = "first word here\n\nsecond word there"
  const text = drawnText(source)
  const at = text.lastIndexOf("word")
  const range = placeSelection(visibleMarkdown(source), { text, from: at, to: at + 4 })
  expect(range).toEqual({ from: source.lastIndexOf("word"), to: source.lastIndexOf("word") + 4 })
  expect(placeSelection(visiblePlain("ab ab ab"), { text: "ab", from: 0, to: 2 })).toBeNull()
  expect(placeSelection(visiblePlain("abc"), { text: "other words", from: 0, to: 5 })).toBeNull()
  expect(placeSelection(visiblePlain("abc"), { text: "a \n b", from: 1, to: 4 })).toBeNull()
})

test("selected tool output is found in the call's input and output", () => {
  const chosenInFirst = (ways: ReturnType<typeof visibleOutputs>, source: string, text: string) => {
    const range = ways.map((way) => placeSelection(way, { text, from: 0, to: text.length })).find((it) => it !== null)
    return range && source.slice(range.from, range.to)
  }
  const coloured = "ok \u001b[31mfailed\u001b[0m: 3"
  expect(chosenInFirst(visibleOutputs(coloured), coloured, "failed: 3")).toBe("failed\u001b[0m: 3")
  const numbered = "<file>\n00001| one\n00002| two\n</file>"
  expect(chosenInFirst(visibleOutputs(numbered), numbered, "one\ntwo")).toBe("one\n00002| two")
  const input = JSON.stringify({ command: 'echo "a\tb"\nls' }, null, 2)
  expect(chosenInFirst(visibleInputs(input), input, 'echo "a\tb"\nls')).toBe('echo \\"a\\tb\\"\\nls')
})

const word = fc.nat(1e9).map((number) => `w${number.toString(36)}`)
const inline = fc.oneof(
  { weight: 4, arbitrary: word.map((text) => ({ source: text, text })) },
  ...(
    [
      ["**", "**"],
      ["_", "_"],
      ["`", "`"],
      ["~~", "~~"],
      ["[", "](https://example.com/a_b?c=d)"],
    ] as const
  ).map(([open, close]) => word.map((text) => ({ source: open + text + close, text }))),
  word.map((text) => ({ source: `${text}&lt;`, text: `${text}<` })),
  word.map((text) => ({ source: `${text}\\*`, text: `${text}*` })),
  word.map((text) => ({ source: `😀${text}`, text: `😀${text}` })),
)
const line = fc.array(inline, { minLength: 1, maxLength: 5 })
const shapes = {
  paragraph: (lines: string[]) => lines.join("\n"),
  heading: (lines: string[]) => `## ${lines.join(" ")}`,
  list: (lines: string[]) => lines.map((text) => `- ${text}`).join("\n"),
  nested: (lines: string[]) => lines.map((text, index) => `${"  ".repeat(index % 3)}- ${text}`).join("\n"),
  quote: (lines: string[]) => lines.map((text) => `> ${text}`).join("\n"),
  numbered: (lines: string[]) => lines.map((text, index) => `${index + 1}. ${text}`).join("\n"),
}
const block = fc.oneof(
  fc
    .record({ shape: fc.constantFrom(...Object.values(shapes)), lines: fc.array(line, { minLength: 1, maxLength: 3 }) })
    .map(({ shape, lines }) => ({
      source: shape(lines.map((items) => items.map(({ source }) => source).join(" "))),
      words: lines.flat().map(({ text }) => text),
    })),
  fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => ({
    source: `\`\`\`ts\n${words.map((text) => `  ${text} > "x" \\* &lt;`).join("\n")}\n\`\`\``,
    words,
  })),
)

test("any selection maps to its source range and is found again", () => {
  fc.assert(
    fc.property(fc.array(block, { minLength: 1, maxLength: 4 }), fc.nat(), fc.nat(), (blocks, one, two) => {
      const words = blocks.flatMap((it) => it.words)
      // Each word occurs once, also within other words, so that `indexOf` finds the one that is meant.
      fc.pre(new Set(words).size === words.length && !words.some((a) => words.some((b) => a !== b && b.includes(a))))
      const source = blocks.map((it) => it.source).join("\n\n")
      const text = drawnText(source)
      const [first = 0, last = 0] = [one % words.length, two % words.length].sort((a, b) => a - b)
      const from = text.indexOf(words[first] ?? "")
      const to = text.indexOf(words[last] ?? "") + (words[last] ?? "").length
      const visible = visibleMarkdown(source)
      const range = placeSelection(visible, { text, from, to })
      if (range === null) throw new Error(`not placed: ${text.slice(from, to)}`)
      const meant = source.slice(range.from, range.to)
      const bare = (word = "") => word.replace(/^😀|[<*]$/g, "")
      // The range may begin with an emoji (2 units), and end with the source of "<" (`&lt;`, 4 units).
      expect(meant.indexOf(bare(words[first]))).toBeLessThanOrEqual(2)
      expect(meant.lastIndexOf(bare(words[last])) + bare(words[last]).length).toBeGreaterThanOrEqual(meant.length - 4)
      const again = findDrawn(visible, range, text)
      expect(again && squeeze(text.slice(again.from, again.to)).text).toBe(squeeze(text.slice(from, to)).text)
    }),
    drawn(300, 100),
  )
})
