import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { findForeignServers, foreignLines } from "./foreign-servers.ts"
import { assertTypedName, serverOf, writeServers } from "./write-server.ts"

async function place(files: Record<string, string> = {}) {
  const directory = await realpath(await mkdtemp(path.join(tmpdir(), "docket-mcp-cli-")))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(directory, name)), { recursive: true })
    await writeFile(path.join(directory, name), text)
  }
  return directory
}

test("a server is added to a docket.json, which keeps its comments", async () => {
  const directory = await place({ "docket.json": '{\n  // mine\n  "model": "a/b"\n}\n' })
  const file = path.join(directory, "docket.json")
  const server = serverOf(["npx", "-y", "x"], { env: ["KEY={env:X_KEY}"] })
  expect(await writeServers(file, { x: server })).toEqual([])
  expect(await readFile(file, "utf8")).toBe(`{
  // mine
  "model": "a/b",
  "mcp": {
    "x": {
      "type": "local",
      "command": [
        "npx",
        "-y",
        "x"
      ],
      "environment": {
        "KEY": "{env:X_KEY}"
      }
    }
  }
}
`)
  expect(await writeServers(file, { x: serverOf([], { url: "https://x.example/mcp" }) })).toEqual(["x"])
  expect(await readFile(file, "utf8")).not.toContain("https://x.example")
})

test("a missing file is made, and a broken one is left", async () => {
  const directory = await place({ "broken.json": '{"mcp": ' })
  const made = path.join(directory, "config/docket.json")
  const remote = serverOf([], { url: "https://x.example/mcp", header: ["Authorization: Bearer {env:T}"] })
  await writeServers(made, { x: remote })
  expect(JSON.parse(await readFile(made, "utf8"))).toEqual({
    mcp: { x: { type: "remote", url: "https://x.example/mcp", headers: { Authorization: "Bearer {env:T}" } } },
  })
  const broken = path.join(directory, "broken.json")
  await expect(writeServers(broken, { x: remote })).rejects.toThrow("no valid JSON, so nothing was written")
  expect(await readFile(broken, "utf8")).toBe('{"mcp": ')
})

test("a server is not added under a name with a wildcard", async () => {
  const file = path.join(await place(), "docket.json")
  await expect(writeServers(file, { "a*": serverOf(["x"], {}) })).rejects.toThrow('no "*" and no "?"')
  await expect(readFile(file, "utf8")).rejects.toThrow("ENOENT")
})

test.each(["bad name", "-x", "", "a\u202eb", "größe", "a:b", "x".repeat(65)])(
  "a new server is not named %j",
  (name) => {
    expect(() => assertTypedName(name)).toThrow("is no name for a server")
  },
)

test("a new server may have a usual name", () => {
  expect(() => assertTypedName("my-server_2.x")).not.toThrow()
})

test.each([
  [[], {}, "name a program after --, or an address with --url"],
  [["npx"], { url: "https://x.example" }, "name a program after --, or an address with --url"],
  [["npx"], { env: ["KEY"] }, 'write "KEY" as NAME=value'],
  [[], { url: "nowhere" }, "write a whole http or https address"],
])("a wrong description of a server says what is needed: %s %s", (command, options, words) => {
  expect(() => serverOf(command, options)).toThrow(words)
})

test("servers of other programs are found, with what is left out", async () => {
  const home = await place({
    ".cursor/mcp.json": JSON.stringify({ mcpServers: { mine: { command: "npx" } } }),
    "project/.vscode/mcp.json":
      '{\n  "servers": {\n    "web": { "type": "http", "url": "https://web.example/mcp" },\n    "odd": {}\n  }\n}',
    "project/.gemini/settings.json":
      '{\n  "mcpServers": {\n    "far": { "httpUrl": "https://far.example/mcp", "trust": true },\n    "ask": { "command": "${input:x}" }\n  }\n}',
    "project/.codex/config.toml": '[mcp_servers.docs]\ncommand = "docs"\n[mcp_servers.bad]\ncommand =\n',
    ".codex/config.toml": 'model = "gpt"\n',
  })
  expect(await findForeignServers({ project: path.join(home, "project") })).toEqual([
    {
      file: path.join(home, "project/.vscode/mcp.json"),
      servers: { web: { type: "remote", url: "https://web.example/mcp", transport: "http" } },
      skipped: ['line 4: The MCP server "odd" is left out: it has neither "command" nor "url".'],
    },
    {
      file: path.join(home, "project/.gemini/settings.json"),
      servers: { far: { type: "remote", url: "https://far.example/mcp", transport: "http" } },
      skipped: [
        'line 3: Of the MCP server "far", "trust" does not count in Docket.',
        'line 4: The MCP server "ask" is left out: ${input:x} is filled in only by the program that the file is for. Add it by hand.',
      ],
    },
    {
      file: path.join(home, "project/.codex/config.toml"),
      servers: { docs: { type: "local", command: ["docs"] } },
      skipped: ["line 4: invalid value. The table around it is left out."],
    },
  ])
  expect(await findForeignServers({ home })).toEqual([
    {
      file: path.join(home, ".cursor/mcp.json"),
      servers: { mine: { type: "local", command: ["npx"] } },
      skipped: [],
    },
  ])
})

test("a preview shows what each server runs, or where it leads", () => {
  const servers = {
    mine: serverOf(["sh", "-c", "curl x | sh"], {}),
    web: serverOf([], { url: "https://web.example/mcp" }),
  }
  expect(foreignLines({ file: "/f.json", servers, skipped: ["no type"] })).toEqual([
    "/f.json:",
    "  mine: sh -c 'curl x | sh'",
    "  web: https://web.example/mcp",
    "  note: no type",
  ])
})
