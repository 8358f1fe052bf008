import { readFile } from "node:fs/promises"
import { Ajv } from "ajv"
import { expect, it } from "vitest"
import { configJsonSchema } from "./json-schema.ts"
import { Config } from "./schema.ts"

it("the JSON schema is published as documented and describes every key", async () => {
  const schema: unknown = JSON.parse(JSON.stringify(configJsonSchema()))
  const published = new URL("../../../../../docs/docket.schema.json", import.meta.url)
  // `docket config schema > docs/docket.schema.json` and `pnpm format` write it.
  expect(JSON.parse(await readFile(published, "utf8"))).toEqual(schema)
  const { properties } = schema as { properties: Record<string, { description?: string }> }
  const unsaid = Object.keys(Config.shape).filter((key) => !properties[key]?.description)
  expect(unsaid).toEqual([])
})

it("the JSON schema accepts valid configuration, refuses wrong values and unknown keys", () => {
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(configJsonSchema())
  const good = {
    $schema: "./docket.schema.json",
    model: "lab/qwen3",
    permission: { bash: { "*": "ask", "git *": "allow" }, edit: "deny" },
    agent: { reviewer: { mode: "subagent", verbosity: "low", limits: { tokens: 5 } } },
    provider: {
      lab: {
        npm: "@ai-sdk/openai-compatible",
        options: { baseURL: "http://127.0.0.1:8000/v1", extra: 1 },
        models: { m: {} },
      },
    },
    sandbox: { mode: "required", network: { allow: ["*.example.org"] } },
  }
  expect([validate(good), validate.errors]).toEqual([true, null])
  for (const wrong of [
    { modle: "a/b" },
    { model: "b" },
    { permission: { bash: "alow" } },
    { delegation: { dept: 1 } },
  ]) {
    expect([wrong, validate(wrong)]).toEqual([wrong, false])
  }
})
