import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { claudeServers } from "./claude-servers.ts"

async function homeWith(text: string | null) {
  const home = await mkdtemp(join(tmpdir(), "docket-claude-"))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const file = join(home, ".claude.json")
  if (text !== null) await writeFile(file, text)
  return { home, file }
}

const servers = {
  numStartups: 3,
  mcpServers: { a: { command: "npx", args: ["-y", "a"], env: { KEY: "${A_KEY}" } }, odd: { args: [] } },
  projects: { "/p": { history: [], mcpServers: { a: { type: "http", url: "https://a.example/mcp" } } }, "/q": {} },
}

test("servers of Claude Code are those everywhere and those here", async () => {
  const { home, file } = await homeWith(JSON.stringify(servers))
  const everywhere = await claudeServers({ home }, { worktree: "/other" })
  const local = { type: "local", command: ["npx", "-y", "a"], environment: { KEY: "${A_KEY}" } }
  expect(everywhere.servers).toEqual([{ name: "a", config: local, file, line: null }])
  expect(everywhere.problems.map(({ message }) => message)).toEqual([
    'The MCP server "odd" is left out: it has neither "command" nor "url".',
  ])
  const remote = { type: "remote", url: "https://a.example/mcp", transport: "http" }
  expect((await claudeServers({ home }, { worktree: "/p" })).servers[0]?.config).toEqual(remote)
})

test("a file of Claude Code that is missing or broken starts nothing", async () => {
  const { home } = await homeWith(null)
  expect(await claudeServers({ home }, null)).toEqual({ servers: [], problems: [] })
  const broken = await homeWith('{"mcpServers": {"a": ')
  const { servers: none, problems } = await claudeServers({ home: broken.home }, null)
  expect(none).toEqual([])
  expect(problems[0]?.message).toBe("The MCP servers of Claude Code are left out: the file cannot be read.")
})
