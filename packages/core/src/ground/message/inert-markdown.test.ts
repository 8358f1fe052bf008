import { describe, expect, it } from "vitest"
import { codeBlock, inertMarkdown, plainCharacters, plainWords } from "./inert-markdown.ts"

describe("inertMarkdown", () => {
  it("leaves nothing that loads from elsewhere, and no HTML", () => {
    expect(inertMarkdown("![a](https://e.test/x.png)")).toBe("\\![a](https://e.test/x.png)")
    expect(inertMarkdown("\\![a](x) \\\\![b](y)")).toBe("\\![a](x) \\\\\\![b](y)")
    expect(inertMarkdown("<img src=x> </b> <!-- a --> a < b")).toBe("\\<img src=x> \\</b> \\<!-- a --> a < b")
    expect(inertMarkdown("| `a | <img src=x> | b` |")).toBe("| `a | \\<img src=x> | b` |")
    expect(inertMarkdown("\\` <img src=x> `")).toBe("\\` \\<img src=x> `")
    expect(inertMarkdown("` <img src=x>")).toBe("` \\<img src=x>")
  })

  it("keeps code unchanged and closes an open block", () => {
    const code = "Use `Array<string>`:\n\n```ts\nconst a: Array<string>\n```\n<b>"
    expect(inertMarkdown(code)).toBe("Use `Array<string>`:\n\n```ts\nconst a: Array<string>\n```\n\\<b>")
    expect(inertMarkdown("~~~\n<b>\n```")).toBe("~~~\n<b>\n```\n~~~")
    expect(inertMarkdown("``` `\n<b>")).toBe("``` `\n\\<b>")
    expect(inertMarkdown("> ```\n<b>")).toBe("> ```\n\\<b>")
  })
})

it("terminal codes and marks that change the writing direction are removed", () => {
  const text = "a\u001B[31mb\u001B[0m \u001B]8;;https://e.test\u0007c\u001B]8;;\u0007\u202Ed\u0000\te\r\nf"
  expect(plainCharacters(text)).toBe("ab cd\te\nf")
})

it("a code block's fence is longer than any inside; titles are escaped", () => {
  expect(codeBlock("a\n```\n````", "sh")).toBe("`````sh\na\n```\n````\n`````")
  expect(plainWords("# [x](y)\n<b>")).toBe("\\# \\[x\\]\\(y\\) \\<b\\>")
})
