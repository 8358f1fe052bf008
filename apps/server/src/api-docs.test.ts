import { readdir, readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { appRouter } from "@docket/api"
import { events } from "@docket/core/events"
import { coreOperations, listOperations } from "@docket/core/operations"
import * as rows from "@docket/core/schema"
import { expect, it } from "vitest"
import { z } from "zod"

const packages = new URL("../../../packages/", import.meta.url)
const docs = new URL("../../../docs/", import.meta.url)
const page = fileURLToPath(new URL("api.md", docs))

// The flat record's type is that of the nested routers; it contains procedures.
const flat = appRouter._def.procedures as unknown as Record<
  string,
  { _def: { type: string; inputs: z.ZodType[]; meta: { capability: string } } }
>
const procedures = Object.entries(flat).map(([name, { _def }]) => ({ name, ..._def }))
const routes = new Map(listOperations(coreOperations).map(([name, { rest }]) => [name, rest]))

/**
 * The comments of members by the last two parts of a procedure's name: those of `const drafts` begin with `draft.`, those
 * of `sessionStartOperations` with `session.`
 */
async function readComments(): Promise<Map<string, string>> {
  const comments = new Map<string, string>()
  for (const folder of ["core/src/runtime/operations/", "api/src/procedures/"]) {
    for (const file of await readdir(new URL(folder, packages))) {
      const source = await readFile(new URL(folder + file, packages), "utf8")
      const constants = /^(?:export )?const ([a-z]+?)(?:[A-Z]\w*|s)? = .*\{\n([\s\S]*?)^\}/gm
      for (const [, area, members = ""] of source.matchAll(constants))
        for (const [, text = "", name] of members.matchAll(/^ {2}\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n {2}(\w+):/gm))
          comments.set(`${area}.${name}`, text.replaceAll(/\s*\n \s*\*?\s*/g, " ").trim())
    }
  }
  return comments
}

interface Shape {
  properties?: Record<string, unknown>
  required?: string[]
  anyOf?: Shape[]
}

function fieldsOf({ properties = {}, required = [], anyOf }: Shape): string {
  if (anyOf !== undefined) return anyOf.map(fieldsOf).join(" or ")
  return Object.keys(properties)
    .map((name) => `\`${name}${required.includes(name) ? "" : "?"}\``)
    .join(", ")
}

function describeInput(inputs: z.ZodType[]): string {
  const shapes = inputs.map((input) => z.toJSONSchema(input, { io: "input", unrepresentable: "any" }) as Shape)
  return shapes.map(fieldsOf).join("") || "nothing"
}

it("every procedure has a description", async () => {
  const comments = await readComments()
  const undescribed = procedures.filter(({ name }) => !comments.has(name.split(".").slice(-2).join(".")))
  expect(undescribed.map(({ name }) => name)).toEqual([])
})

/** A table with columns of one width, as the formatter wants it. */
function table(rows: string[][]): string {
  const head = rows[0] ?? []
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const rule = widths.map((width) => "-".repeat(width))
  const lines = [head, rule, ...rows.slice(1)].map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)))
  return lines.map((cells) => `| ${cells.join(" | ")} |\n`).join("")
}

it("the tables of docs/api.md list every procedure as its entry defines it", async () => {
  const comments = await readComments()
  const rows = procedures.map(({ name, type, inputs, meta }) => {
    const rest = routes.get(name)
    const route = rest ? ` Also \`${rest.method.toUpperCase()} /v1${rest.path}\`.` : ""
    const text = comments.get(name.split(".").slice(-2).join(".")) + route
    return [`\`${name}\``, type, describeInput(inputs), `\`${meta.capability}\``, text]
  })
  const areas = Object.values(Object.groupBy(rows, ([name = ""]) => name.slice(1, name.indexOf("."))))
  const head = ["procedure", "kind", "takes", "needs", "what it does"]
  const tables = areas.map((area = []) => table([head, ...area])).join("\n")
  const text = await readFile(page, "utf8")
  const written = text.replace(/(?<=<!-- procedures.*-->\n\n)[\s\S]*?(?=\n<!-- end -->)/, () => tables)
  const remedy = "Write the tables anew: npx vitest run apps/server/src/api-docs.test.ts -u"
  await expect(written, remedy).toMatchFileSnapshot(page)
})

const rowNames = new Map<unknown, string>(Object.entries(rows).map(([name, schema]) => [schema, name]))

/** A type in the words of `@docket/core/schema`. */
function typeOf(schema: z.core.$ZodType): string {
  const name = rowNames.get(schema)
  if (name !== undefined) return name
  const { def } = (schema as z.core.$ZodTypes)._zod
  return def.type === "array" ? `${typeOf(def.element)}[]` : def.type
}

it("the table of docs/client.md lists the payload of every event", async () => {
  const list = Object.entries(events).map(([type, { schema, traits }]) => {
    const fields = Object.entries(schema.shape).map(([name, field]) => `\`${name}: ${typeOf(field)}\``)
    return [`\`${type}\``, fields.join(", "), traits !== undefined && "row" in traits ? "yes" : "no"]
  })
  const written = table([["event", "`properties`", "comes after a gap"], ...list])
  const file = fileURLToPath(new URL("client.md", docs))
  const text = await readFile(file, "utf8")
  expect(text).toContain("<!-- events, by")
  const remedy = "Write the table anew: npx vitest run apps/server/src/api-docs.test.ts -u"
  const whole = text.replace(/(?<=<!-- events, by.*-->\n\n)[\s\S]*?(?=\n<!-- end -->)/, () => written)
  await expect(whole, remedy).toMatchFileSnapshot(file)
})
