import { expect, test } from "vitest"
import { McpConfig } from "../../ground/schema/mcp-config.ts"
import { parseConfigText } from "../config/parse-config-text.ts"
import { readMcpFile } from "./read-mcp-file.ts"

const server = { command: "x" }

test.each(["*", "a?", "docs*"])("a server of a file is not named %s", (name) => {
  const { servers, problems } = readMcpFile("f", JSON.stringify({ mcpServers: { [name]: server, docs: server } }))
  expect(servers.map((one) => one.name)).toEqual(["docs"])
  expect(problems.map(({ message }) => message)).toEqual([
    `The MCP server "${name}" is left out: a name of a server has no "*" and no "?".`,
  ])
})

test("a server of the configuration is not named with a wildcard", () => {
  const { error } = McpConfig.safeParse({ "doc*": { type: "local", command: ["x"] } })
  expect(error?.issues).toMatchObject([{ path: ["doc*"], message: 'a name of a server has no "*" and no "?"' }])
})

test("a name of a server has at most 64 characters", () => {
  const { problems } = readMcpFile("f", JSON.stringify({ mcpServers: { ["x".repeat(65)]: server } }))
  expect(problems[0]?.message).toContain("its name is longer than 64 characters")
})

const hidden = [
  ["docs\u202e", "docs\\u{202e}"],
  ["do\u200dcs", "do\\u{200d}cs"],
  ["docs\u001b[2J", "docs\\u{1b}[2J"],
  ["\u3164docs", "\\u{3164}docs"],
  ["docs\u{e000}", "docs\\u{e000}"],
  ["docs ", "docs "],
]

test.each(hidden)("a server of a file is not named %j", (name, shown) => {
  const { servers, problems } = readMcpFile("f", JSON.stringify({ mcpServers: { [name]: server, docs: server } }))
  expect(servers.map((one) => one.name)).toEqual(["docs"])
  expect(problems.map(({ message }) => message)).toEqual([
    `The MCP server "${shown}" is left out: a name has no characters that cannot be seen, and no space at its ends.`,
  ])
})

test.each(hidden)("a server of the configuration is not named %j", (name, shown) => {
  const local = { type: "local", command: ["x"] }
  const { config, problems } = parseConfigText("f", JSON.stringify({ mcp: { [name]: local, docs: local } }))
  expect(Object.keys(config?.mcp ?? {})).toEqual(["docs"])
  expect(problems).toMatchObject([
    { line: 1, message: expect.stringContaining(`"mcp.${shown}": a name has no characters that cannot be seen`) },
  ])
})

test("names of several words and scripts are taken", () => {
  const names = ["My Server", "größe", "文件", "a.b@c/d"]
  const { servers } = readMcpFile(
    "f",
    JSON.stringify({ mcpServers: Object.fromEntries(names.map((n) => [n, server])) }),
  )
  expect(servers.map((one) => one.name)).toEqual(names)
})
