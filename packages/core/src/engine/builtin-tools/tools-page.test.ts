import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { createLspTool } from "../../acts/tool/lsp.ts"
import { inputSchema } from "../../acts/tool/tool-schemas.ts"
import { createToolSearchTool } from "../../acts/tool/tool-search.ts"
import { createWebsearchTool } from "../../acts/tool/web/websearch.ts"
import { toolNames } from "../../ground/schema/tool-metadata.ts"
import { permissionOfTool } from "../../setup/config/tool-names.ts"
import { answer, scriptedRuntime } from "../../test/scripted-runtime.ts"
import { type BuiltinToolDeps, createBuiltinTools } from "./builtin-tools.ts"

const page = fileURLToPath(new URL("../../../../../docs/tools.md", import.meta.url))

/** A tool as the page shows it. `schema` is JSON Schema of its arguments. */
interface ShownTool {
  description: string
  schema: Record<string, unknown>
  limits: string
}

/** All tools of Docket: those that models are offered, and those that wait for configuration or are not described. */
async function allTools(): Promise<Map<string, ShownTool>> {
  const found = new Map<string, ShownTool>()
  await using host = await scriptedRuntime(({ tools = [] }) => {
    for (const tool of tools) {
      if (tool.type === "function")
        found.set(tool.name, { description: tool.description ?? "", schema: { ...tool.inputSchema }, limits: "" })
    }
    return answer("Fine.")
  })
  const skill = join(host.directory, ".home/.claude/skills/pdf")
  await mkdir(skill, { recursive: true })
  await writeFile(join(skill, "SKILL.md"), "---\nname: pdf\ndescription: Fills forms.\n---\nText.\n")
  for (const agent of ["build", "plan"]) {
    const { id } = await host.runtime.prompt.submit(host.session.id, { parts: [{ type: "text", text: "Hi" }], agent })
    await host.runtime.prompt.wait(id)
  }
  const own = [
    ...createBuiltinTools({ env: {}, clock: Date.now } as unknown as BuiltinToolDeps),
    createWebsearchTool({ provider: "exa" }),
    createLspTool({ unavailable: "no language server runs yet" }),
    createToolSearchTool([]),
  ]
  for (const { id, description, limits = "", ...tool } of own) {
    found.set(id, { description: found.get(id)?.description ?? description, schema: inputSchema(tool), limits })
  }
  return found
}

/** A table with columns of one width, as the formatter wants it. */
function table(rows: string[][]): string {
  const head = rows[0] ?? []
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const rule = widths.map((width) => "-".repeat(width))
  const lines = [head, rule, ...rows.slice(1)].map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)))
  return lines.map((cells) => `| ${cells.join(" | ")} |\n`).join("")
}

function parametersOf({ properties, required }: Record<string, unknown>): string {
  const needed = Array.isArray(required) ? required : []
  return Object.keys(Object(properties))
    .map((name) => `\`${name}${needed.includes(name) ? "" : "?"}\``)
    .join(", ")
}

it("docs/tools.md lists every tool as its code defines it", async () => {
  const tools = await allTools()
  expect([...tools.keys()].sort()).toEqual([...toolNames].sort())
  const rows = [...tools]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, { description, schema, limits }]) => {
      const [first = ""] = description.split("\n", 1)
      const cells = [`\`${name}\``, `\`${permissionOfTool(name)}\``, parametersOf(schema), limits, first]
      return cells.map((cell) => cell.replaceAll("|", "\\|").trim())
    })
  const written = table([["tool", "permission", "parameters", "limits", "what it does"], ...rows])
  const text = await readFile(page, "utf8")
  const whole = text.replace(/(?<=<!-- tools.*-->\n\n)[\s\S]*?(?=\n<!-- end -->)/, () => written)
  const remedy = "Write the table anew: npx vitest run packages/core/src/engine/builtin-tools/tools-page.test.ts -u"
  await expect(whole, remedy).toMatchFileSnapshot(page)
})
