import { readFile } from "node:fs/promises"
import { appRouter } from "@docket/api"
import { expect, it } from "vitest"

/** The procedures that a row of the table names. Their inputs and outputs are in parentheses. */
function namedIn(row: string): string[] {
  const [, router = "", text = ""] = /^\| `(\w+)` +\| (.+) \|$/.exec(row) ?? []
  let group = ""
  return [...text.replaceAll(/\([^()]*(?:\([^()]*\)[^()]*)*\)/g, "").matchAll(/`([\w.]+)`/g)].map(([, name = ""]) => {
    if (name.includes(".") && !name.startsWith(".")) group = name.slice(0, name.indexOf("."))
    return `${router}.${name.startsWith(".") ? `${group}${name}` : name}`
  })
}

it("names every procedure, and none that is gone", async () => {
  const text = await readFile(new URL("../../../docs/api.md", import.meta.url), "utf8")
  const [, table = ""] = /\n\| router .+\n.+\n((?:\|.+\n)+)/.exec(text) ?? []
  const named = table.trim().split("\n").flatMap(namedIn)
  expect(named.toSorted()).toEqual(Object.keys(appRouter._def.procedures).toSorted())
})
