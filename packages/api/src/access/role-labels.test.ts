import { readFile } from "node:fs/promises"
import { accessTable } from "@docket/core/operations"
import { expect, it } from "vitest"
import { roleLabels } from "./role-labels.ts"

it("docs/roles.md lists for each role what accessTable allows", async () => {
  const text = await readFile(new URL("../../../../docs/roles.md", import.meta.url), "utf8")
  const lists = text.split(/\*\*(?=[^*]+\*\* may)/).slice(1)
  const said = lists.map((list) => [...list.matchAll(/^- (.+) \(`[\w.]+`\)$/gm)].map(([, words]) => words))
  expect(said).toEqual(roleLabels().map(({ may }) => may.map(({ words }) => words)))
  for (const capability of Object.keys(accessTable)) expect(text).toContain(`(\`${capability}\`)`)
})
