import type { Page } from "@playwright/test"
import { findViolationsInLightAndDark } from "./fixtures/find-violations.ts"
import { begin, expect, test } from "./fixtures/test.ts"

/** An MCP server over standard input and output, with one tool. */
const server = (name: string) => `
const { createInterface } = require("node:readline")
const say = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n")
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === "initialize")
    say(id, { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "${name}", version: "1" } })
  else if (method === "tools/list")
    say(id, { tools: [{ name: "look", description: "Looks something up.", inputSchema: { type: "object", properties: { what: { type: "string" } } } }] })
  else if (method === "tools/call") say(id, { content: [{ type: "text", text: "${name} knows " + params.arguments.what }] })
  else if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "no" } }) + "\\n")
})
`
const plugin = `export const Loud = async () => ({
  "tool.execute.before": async ({ tool }, output) => {
    if (tool === "library_look") output.args.what = output.args.what.toUpperCase()
  },
})
`
const hooks = {
  hooks: {
    PostToolUse: [
      {
        matcher: "mcp__library__look",
        hooks: [{ type: "command", command: "cat > /dev/null; echo seen >&2; exit 2" }],
      },
    ],
  },
}

const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true })

test("what a project brings for others runs after one trust", async ({ desk, model, project, server: service }) => {
  await project.write("tools/library.cjs", server("library"))
  await project.write("tools/archive.cjs", server("archive"))
  await project.write(
    ".mcp.json",
    JSON.stringify({ mcpServers: { library: { command: process.execPath, args: ["tools/library.cjs"] } } }),
  )
  await project.write(
    "opencode.json",
    JSON.stringify({
      mcp: { archive: { type: "local", command: [process.execPath, "tools/archive.cjs"] } },
      plugin: ["opencode-wakatime"],
    }),
  )
  await project.write(".opencode/plugin/loud.ts", plugin)
  await project.write(".claude/settings.json", JSON.stringify(hooks))
  model.script({
    first: [{ text: "Nothing to do." }],
    second: [
      {
        calls: [
          { tool: "library_look", args: { what: "ada" } },
          { tool: "archive_look", args: { what: "bob" } },
        ],
      },
      { text: "Both were asked." },
    ],
  })

  await desk.goto(`${service.url}/settings/extensions`)
  await expect(region(desk, "MCP servers")).toContainText("Waits for trust")
  const notice = region(desk, "Trust")
  await notice.getByRole("button", { name: "Look at it" }).click()
  await desk.getByRole("button", { name: "Trust all of this" }).click()
  await expect(notice).toHaveCount(0)
  await expect(region(desk, "MCP servers")).toContainText("library")
  await expect(region(desk, "MCP servers")).toContainText("archive")
  await expect(region(desk, "Plugins")).toContainText("loud")
  await expect(region(desk, "Plugins")).toContainText("opencode-wakatime")
  await expect(region(desk, "Hooks")).toContainText(".claude/settings.json")

  // The first turn starts the servers, and the second one has their tools.
  await desk.goto(service.url)
  await begin(desk, "first")
  await expect(desk.getByText("Nothing to do.")).toBeVisible()
  await desk.goto(`${service.url}/settings/extensions`)
  await expect(region(desk, "MCP servers").getByRole("listitem").filter({ hasText: "Ready" })).toHaveCount(2)

  await desk.goto(service.url)
  await begin(desk, "second")
  const card = desk.getByRole("region", { name: /^build wants to/ })
  // As the plugin made them.
  await expect(card).toContainText('"what": "ADA"')
  for (let asked = 0; asked < 2; asked += 1) {
    await card.getByRole("button", { name: "Allow once" }).first().click()
  }
  await expect(desk.getByText("Both were asked.")).toBeVisible()
  const [, answered] = model.requests.slice(-2)
  const results = JSON.stringify(answered?.messages)
  expect(results).toContain("library knows ADA")
  expect(results).toContain("archive knows bob")
  expect(results).toContain("seen")

  await desk.goto(`${service.url}/settings/extensions`)
  const row = desk.getByRole("button", { name: /library/ })
  const library = region(desk, "MCP servers").getByRole("listitem").filter({ has: row })
  await expect(library).toContainText("1 call in 7 days")
  await row.click()
  await expect(library).toContainText(".mcp.json")
  await library.getByText("1 tool", { exact: true }).click()
  await expect(library).toContainText("library_look")
  for (const width of [1440, 390]) {
    await desk.setViewportSize({ width, height: 844 })
    expect(await findViolationsInLightAndDark(desk)).toEqual([])
  }
  await library.getByRole("button", { name: "Switch off library" }).click()
  await expect(library).toContainText("Switched off")
})

test.describe("own servers", () => {
  test.use({
    config: {
      mcp: {
        notes: { type: "remote", url: "https://notes.example/mcp" },
        stays: { type: "remote", url: "https://stays.example/mcp" },
      },
    },
  })

  test("an own server is uninstalled after a question", async ({ desk, project, server: service }) => {
    await project.write(".mcp.json", JSON.stringify({ mcpServers: { ours: { command: "ours" } } }))
    await desk.goto(`${service.url}/settings/extensions`)
    const servers = region(desk, "MCP servers")
    await servers.getByRole("button", { name: /notes/ }).click()
    const item = servers.getByRole("listitem").filter({ hasText: "notes" })
    await item.getByRole("button", { name: "Uninstall notes…" }).click()
    const asked = region(desk, "Uninstall notes")
    await expect(asked).toContainText("docket.json")
    for (const width of [1440, 390]) {
      await desk.setViewportSize({ width, height: 844 })
      expect(await findViolationsInLightAndDark(desk)).toEqual([])
    }
    await asked.getByRole("button", { name: "Keep" }).click()
    await item.getByRole("button", { name: "Uninstall notes…" }).click()
    await asked.getByRole("button", { name: "Uninstall" }).click()
    await expect(servers.getByRole("button", { name: /notes/ })).toHaveCount(0)
    await expect(servers.getByRole("button", { name: /stays/ })).toHaveCount(1)
    await servers.getByRole("button", { name: /ours/ }).click()
    await expect(servers).toContainText("It belongs to the project, whose files Docket does not change")
    await expect(servers.getByRole("button", { name: "Uninstall ours…" })).toHaveCount(0)
  })
})
