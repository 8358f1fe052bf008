import { createElement } from "react"
import { renderToString } from "react-dom/server"
import { expect, it } from "vitest"
import { DiffPreview } from "./diff-preview.tsx"

const shown = (line: string) =>
  renderToString(createElement(DiffPreview, { patch: `@@ -1,1 +1,1 @@\n-old\n+${line}\n` })).replace(/<[^>]+>/g, "")

it("a diff shows bidirectional and invisible characters", () => {
  // As in "Trojan Source": the check is inside a comment.
  expect(shown("/*\u202e } \u2066if (isAdmin)\u2069 \u2066 begin admins only */")).toContain(
    "/*\\u{202e} } \\u{2066}if (isAdmin)\\u{2069} \\u{2066} begin admins only */",
  )
  expect(shown("is\u200bAdmin\u001b[2K")).toContain("is\\u{200b}Admin\\u{1b}[2K")
})

it("a diff leaves visible characters as they are", () => {
  expect(shown("\tname = 'Größe 日本 👩‍👧'\r")).toContain("\tname = &#x27;Größe 日本 👩‍👧&#x27;")
})
