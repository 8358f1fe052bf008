import type { AuditRule } from "@docket/core/operations"
import { expect, it } from "vitest"
import { z } from "zod"
import { appRouter } from "./router.ts"

// The flat record has the type of the nested routers, but it contains procedures.
const flat = appRouter._def.procedures as unknown as Record<
  string,
  {
    _def: {
      type: "query" | "mutation" | "subscription"
      inputs: z.ZodType[]
      meta?: { capability: string; audit?: AuditRule }
    }
  }
>

it("every procedure has its recorded input, capability and audit rule", async () => {
  const record = Object.entries(flat).map(([name, { _def }]) => {
    const { type, inputs, meta } = _def
    const schemas = inputs.map((input) =>
      JSON.stringify(z.toJSONSchema(input, { io: "input", unrepresentable: "any" })),
    )
    const audit = meta?.audit === undefined ? [] : [`  audit ${JSON.stringify(meta.audit)}`]
    return [
      `${name}: ${type}, needs ${meta?.capability}`,
      ...schemas.map((schema) => `  takes ${schema}`),
      ...audit,
    ].join("\n")
  })
  expect(record.length).toBeGreaterThan(100)
  await expect(`${record.sort().join("\n")}\n`).toMatchFileSnapshot("./test/procedure-record.txt")
})
