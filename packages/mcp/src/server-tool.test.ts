import { expect, test } from "vitest"
import { readServerPrompt } from "./server-prompt.ts"
import { readServerTool } from "./server-tool.ts"

/** Selectors of all kinds, tags and a filler: each can carry a text that nobody sees. */
const hidden = ["\ufe01", "\u{e0100}", "\u{e01ef}", "\u180b", "\u180f", "\u{e0041}", "\u{e0000}", "\u3164", "\u202e"]

test.each(hidden.map((character) => [character.codePointAt(0)?.toString(16), character]))(
  "no text of a tool hides U+%s",
  (_, character = "") => {
    const text = `a${character}b`
    const field = { description: text, enum: [text, " "], anyOf: [{ title: text }] }
    const tool = readServerTool({ name: "t", description: text, inputSchema: { properties: { field } } })
    expect(JSON.stringify(tool)).not.toContain(character)
    expect(tool).toMatchObject({ inputSchema: { properties: { field: { enum: [expect.any(String), " "] } } } })
    const prompt = readServerPrompt({ name: "p", description: text })
    expect(prompt?.description).toMatch(/^a ?b$/)
  },
)

test("a tool whose schema hides something in a name is left out", () => {
  const inputSchema = { properties: { "a\u{e0041}": {} } }
  expect(readServerTool({ name: "t", inputSchema })).toEqual({
    problem: 'The tool "t" is left out: a name in its schema has characters that nobody sees.',
  })
  expect(readServerPrompt({ name: "p", arguments: [{ name: "a\ufe01" }] })).toBeNull()
})

test("texts in other scripts and lines stay as they are", () => {
  const description = "Größe\n\t尺寸 حجم 🙂"
  expect(readServerTool({ name: "t", description, inputSchema: { title: description } })).toMatchObject({
    description,
    inputSchema: { title: description },
  })
})

test.each([
  [120_000, 120_000],
  [5_000_000, 204_800],
  [10, undefined],
  ["many", undefined],
])("a tool gets a longer output, up to a limit: %s", (wanted, longestOutput) => {
  const _meta = { "anthropic/maxResultSizeChars": wanted }
  const tool = readServerTool({ name: "t", inputSchema: {}, _meta })
  expect("longestOutput" in tool ? tool.longestOutput : undefined).toBe(longestOutput)
})
