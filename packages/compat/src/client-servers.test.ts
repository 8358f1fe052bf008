import { expect, test } from "vitest"
import { readClientServer, readGeminiServer } from "./client-servers.ts"

const url = "https://x.example/mcp"
const remote = { type: "remote", url }

test.each([
  ["Gemini's httpUrl", { httpUrl: url, headers: { A: "b" } }, { ...remote, headers: { A: "b" }, transport: "http" }],
  ["Gemini's url", { url }, remote],
  ["Windsurf's serverUrl", { serverUrl: url }, remote],
  ["a type of http", { type: "http", url }, { ...remote, transport: "http" }],
  ["streamableHttp", { type: "streamableHttp", url }, { ...remote, transport: "http" }],
  ["sse", { type: "sse", url }, { ...remote, transport: "sse" }],
  ["a time-out", { url, timeout: 5_000 }, { ...remote, timeout: 5_000 }],
  ["a server that is off", { url, disabled: true }, { ...remote, enabled: false }],
  [
    "lists of tools",
    { url, includeTools: ["read", "run(ls)"], excludeTools: ["rm"] },
    { ...remote, enabled_tools: ["read", "run"], disabled_tools: ["rm"] },
  ],
  [
    "a program",
    { command: "x", args: ["-y"], env: { PORT: 1 }, cwd: "sub" },
    { type: "local", command: ["x", "-y"], cwd: "sub", environment: { PORT: "1" } },
  ],
])("%s is read", (_, entry, config) => {
  expect(readClientServer(entry)).toEqual({ config, ignored: [] })
})

test("variables become Docket's references", () => {
  const local = (word: string) => ({ command: "x", args: [word] })
  const read = (word: string) => [readClientServer(local(word)), readGeminiServer(local(word))].map(commandOf)
  expect(read("${env:KEY}")[0]).toEqual(["x", "{env:KEY}"])
  expect(read("a${KEY}b")).toEqual([
    ["x", "a{env:KEY}b"],
    ["x", "a{env:KEY}b"],
  ])
  expect(read("Bearer $KEY")).toEqual([
    ["x", "Bearer $KEY"],
    ["x", "Bearer {env:KEY}"],
  ])
})

function commandOf(read: ReturnType<typeof readClientServer>): unknown {
  return "config" in read && read.config.type === "local" ? read.config.command : read
}

test.each(["${input:token}", "${workspaceFolder}/x", "${KEY:-usual}"])("a server that needs %s is left out", (word) => {
  const problem = expect.stringContaining("is filled in only by the program that the file is for")
  expect(readClientServer({ command: "x", env: { A: word } })).toEqual({ problem })
})

test("keys that count for nothing are named, unless they are off", () => {
  expect(readGeminiServer({ url, trust: true, description: "" })).toMatchObject({ ignored: ["trust"] })
  expect(readGeminiServer({ url, trust: false })).toMatchObject({ ignored: [] })
})

test.each([
  [{}, 'it has neither "command" nor "url"'],
  [{ type: "stdio" }, 'it has no "command"'],
  [{ url: "nowhere" }, '"url": write a whole http or https address'],
  [{ url, timeout: "5" }, '"timeout": Invalid input: expected number, received string'],
])("an entry %j is left out with the reason", (entry, problem) => {
  expect(readClientServer(entry)).toEqual({ problem })
})
