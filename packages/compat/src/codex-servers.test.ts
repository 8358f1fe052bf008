import { expect, test } from "vitest"
import { readCodexServers } from "./codex-servers.ts"

test("servers of Codex are read in Docket's words", () => {
  const { servers, problems } = readCodexServers(`
model = "gpt"

[mcp_servers.local]
command = "npx"
args = ["-y", "context"]
env_vars = ["HOME", { name = "TOKEN", source = "local" }]
cwd = "/srv"
enabled = false
required = true
startup_timeout_sec = 20.5
tool_timeout_sec = 0.5
enabled_tools = ["search"]
default_tools_approval_mode = "approve"

[mcp_servers.local.env]
KEY = "value"

[mcp_servers."far.away"]
url = "https://far.example/mcp"
bearer_token_env_var = "FAR_TOKEN"
http_headers = { "X-Region" = "eu" }
env_http_headers = { "X-Team" = "TEAM" }
scopes = ["read", "write"]
startup_timeout_ms = 5000
default_tools_approval_mode = "prompt"
`)
  expect(problems).toEqual([])
  expect(servers).toEqual([
    {
      name: "local",
      config: {
        type: "local",
        command: ["npx", "-y", "context"],
        cwd: "/srv",
        environment: { HOME: "{env:HOME}", TOKEN: "{env:TOKEN}", KEY: "value" },
        enabled: false,
        required: true,
        start_timeout: 20_500,
        timeout: 1_000,
        enabled_tools: ["search"],
        permission: "allow",
      },
    },
    {
      name: "far.away",
      config: {
        type: "remote",
        url: "https://far.example/mcp",
        headers: { "X-Region": "eu", "X-Team": "{env:TEAM}", Authorization: "Bearer {env:FAR_TOKEN}" },
        oauth: { scope: "read write" },
        start_timeout: 5_000,
        permission: "ask",
      },
    },
  ])
})

test("each server that is left out is named with its line", () => {
  const { servers, problems } = readCodexServers(`[mcp_servers.none]
enabled = true
[mcp_servers."a*"]
command = "x"
[mcp_servers.odd]
command = 7
[mcp_servers.good]
command = "x"
[mcp_servers.good.tools.search]
approval_mode = "approve"
`)
  expect(servers.map(({ name }) => name)).toEqual(["good"])
  expect(problems).toEqual([
    { line: 1, message: 'The MCP server "none" is left out: it has neither "command" nor "url".' },
    { line: 3, message: expect.stringContaining('The MCP server "a*" is left out') },
    { line: 5, message: expect.stringContaining('The MCP server "odd" is left out: "command"') },
    { line: 7, message: 'Of the MCP server "good", "tools" does not count in Docket.' },
  ])
})

test.each([
  ["a value is missing", "command =", 5],
  ["a text does not end", 'command = "x', 5],
  ["a key is there twice", 'command = "x"\ncommand = "y"', 6],
  ["a text of many lines does not end", 'command = """x', 5],
  ["a head does not end", 'command = "x"\n[mcp_servers.bad.env', 6],
])("where %s, the servers around it count", (_what, wrong, line) => {
  const { servers, problems } = readCodexServers(`
[mcp_servers.first]
command = "first"
[mcp_servers.bad]
${wrong}
[mcp_servers.last]
command = "last"
`)
  expect(servers.map(({ name }) => name)).toEqual(expect.arrayContaining(["first", "last"]))
  expect(problems[0]).toEqual({ line, message: expect.stringMatching(/The table around it is left out\.$/) })
})

test("a file that is no TOML gives no server and ends", () => {
  const { servers, problems } = readCodexServers(`${"]\n".repeat(100)}"""`)
  expect(servers).toEqual([])
  expect(problems.length).toBeGreaterThan(0)
})
