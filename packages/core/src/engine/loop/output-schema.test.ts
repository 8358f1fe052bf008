import { describe, expect, test } from "vitest"
import { assertSchema, checkOutput, checkThreads } from "./output-schema.ts"

const pair = { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], items: false }

describe("an answer", () => {
  test.each([
    ['["a", 1]', ["a", 1]],
    ['Here it is:\n```json\n["a", 1]\n```', ["a", 1]],
    ['It is ["a", 1]', ["a", 1]],
  ])("%j is read and checked by draft 2020-12", async (text, output) => {
    expect(await checkOutput(text, pair)).toEqual({ ok: true, output })
  })

  test("that does not fit comes back with each problem and its place", async () => {
    const check = await checkOutput('["a", "b", "c"]', pair)
    expect(check).toEqual({ ok: false, problem: expect.stringMatching(/\/1: must be number/) })
    expect(check).toMatchObject({ problem: expect.stringContaining("must NOT have more than 2 items") })
  })

  test("is checked by draft 7 where the schema says so", async () => {
    const schema = {
      $schema: "http://json-schema.org/draft-07/schema#",
      ...pair,
      prefixItems: undefined,
      items: [pair],
    }
    expect(await checkOutput("[[]]", JSON.parse(JSON.stringify(schema)))).toMatchObject({ ok: true })
  })

  test("is not checked for ever by a slow pattern", async () => {
    const text = JSON.stringify(`${"a".repeat(60)}!`)
    const check = await checkOutput(text, { type: "string", pattern: "^(a+)+$" }, checkThreads(300))
    expect(check).toEqual({ ok: false, problem: expect.stringContaining("takes too long") })
  })
})

describe("a schema", () => {
  test.each([
    ["of no known type", { type: "nonsense" }, "not a valid JSON Schema"],
    ["that names another one", { $ref: "https://example.org/other.json" }, "can't resolve reference"],
    ["whose answer would never be wrong", { $async: true, type: "string" }, "$async"],
    ["that is too long", { description: "x".repeat(70_000) }, "65536 bytes"],
  ])("%s is refused", async (_name, schema, words) => {
    await expect(assertSchema(schema)).rejects.toThrow(words)
  })

  test("with references to itself is accepted", async () => {
    await assertSchema({ $defs: { tree: { type: "array", items: { $ref: "#/$defs/tree" } } }, $ref: "#/$defs/tree" })
  })
})
