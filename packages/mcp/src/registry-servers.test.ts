import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import path from "node:path"
import { expect, test } from "vitest"
import { runServers } from "./test/run-servers.ts"

const require = createRequire(import.meta.url)
const programOf = (name: string) =>
  path.join(path.dirname(require.resolve(`@modelcontextprotocol/server-${name}/package.json`)), "dist/index.js")

test("the servers of the protocol's authors work together in one session", async () => {
  const server = (name: string, ...args: string[]) => ({
    type: "local" as const,
    command: [process.execPath, programOf(name), ...args],
    required: true,
  })
  const { call, results, toolNames, items, directory } = await runServers({
    isSandboxed: true,
    mcp: {
      // "." is the project: a server starts there.
      files: { ...server("filesystem", "."), writable: ["."] },
      // Its home is kept for it.
      memory: { ...server("memory"), environment: { MEMORY_FILE_PATH: "/tmp/memory.json" } },
      think: server("sequential-thinking"),
    },
    files: { "notes.txt": "what the file says" },
  })
  const names = await toolNames()
  expect((await items()).map(({ state, tools }) => [state, tools.length])).toEqual([
    ["ready", 14],
    ["ready", 9],
    ["ready", 1],
  ])
  expect(names.filter((name) => /^(files|memory|think)_/.test(name))).toHaveLength(24)
  const thought = { thought: "Look first.", thoughtNumber: 1, totalThoughts: 1, nextThoughtNeeded: false }
  await call(
    { tool: "files_read_text_file", input: { path: "notes.txt" } },
    { tool: "think_sequentialthinking", input: thought },
    { tool: "memory_search_nodes", input: { query: "x" } },
  )
  await call({ tool: "files_write_file", input: { path: "new.txt", content: "written" } })
  expect(await readFile(path.join(directory, "new.txt"), "utf8")).toBe("written")
  const entities = [{ name: "Ada", entityType: "person", observations: ["counts"] }]
  await call({ tool: "memory_create_entities", input: { entities } })
  await call({ tool: "memory_search_nodes", input: { query: "Ada" } })
  expect(results.at(-1)).toContain("counts")
  expect(results[0]).toBe("what the file says")
  expect(results[1]).toContain('"thoughtNumber": 1')
  expect(results[2]).toContain('"entities": []')
})
