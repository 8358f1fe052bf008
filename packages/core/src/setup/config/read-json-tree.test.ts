import type { ParseError } from "jsonc-parser"
import { expect, test } from "vitest"
import { readMcpFile } from "../mcp/read-mcp-file.ts"
import { mcpNamesIn } from "./mcp-names-in.ts"
import { nestedTooDeeply, readJsonTree } from "./read-json-tree.ts"
import { withoutConfigSecrets } from "./without-config-secrets.ts"

const nested = (levels: number) => `{ // Mine.\n"mcp": ${"[".repeat(levels - 1)}1${"]".repeat(levels - 1)}, }`

test("a text of 200 levels is read, comments and commas too", () => {
  const errors: ParseError[] = []
  expect(readJsonTree(nested(200), errors)?.type).toBe("object")
  expect(errors).toEqual([])
})

test.each([201, 100_000])("a text of %i levels is an error and is not read", (levels) => {
  const errors: ParseError[] = []
  expect(readJsonTree(nested(levels), errors)).toBeUndefined()
  expect(errors).toEqual([{ error: nestedTooDeeply, offset: 18 + 199, length: 1 }])
})

test("what reads a project's files survives brackets alone", () => {
  const deep = `{ "mcp": ${'{ "a": '.repeat(100_000)}`
  expect(mcpNamesIn({ text: deep, agent: null })).toEqual([])
  expect(withoutConfigSecrets(deep)).toBeNull()
  expect(readMcpFile("f", deep)).toMatchObject({ servers: [], problems: [{ message: "this is nested too deeply." }] })
})
