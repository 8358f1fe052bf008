import { expect, test } from "vitest"
import { McpConfig } from "../../ground/schema/mcp-config.ts"
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
