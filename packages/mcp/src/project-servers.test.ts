import { appendFile, readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { expect, test } from "vitest"
import { hostile, runServers } from "./test/run-servers.ts"

const [node, script = ""] = hostile("plain").command
const claude = (mode: string, more = {}) => ({ command: node, args: [script, mode], ...more })
const file = (servers: Record<string, object>) => JSON.stringify({ mcpServers: servers }, null, 2)

test("servers of .mcp.json wait for trust, each by itself", async () => {
  const { toolNames, untilState, trust, itemOf, directory, call, results } = await runServers({
    files: { ".mcp.json": file({ here: claude("plain"), there: claude("names") }) },
  })
  expect(await toolNames()).not.toContain("here_say")
  expect((await itemOf("here"))?.state).toBe("waits")
  expect((await trust()).map(({ kind, path: at }) => [kind, at[1]])).toEqual([
    ["mcp-server", "here"],
    ["mcp-server", "there"],
  ])
  await toolNames()
  await Promise.all(["here", "there"].map((name) => untilState(name, ["ready"])))
  expect(await toolNames()).toContain("here_say")
  await call({ tool: "here_say", input: { word: "yes" } })
  expect(results).toEqual(["said yes"])

  const changed = file({ here: claude("plain", { env: { NEW: "1" } }), there: claude("names") })
  await writeFile(path.join(directory, ".mcp.json"), changed)
  await expect.poll(async () => (await itemOf("here"))?.state).toBe("waits")
  const names = await toolNames()
  expect(names).not.toContain("here_say")
  expect(names).toContain("there_a_b")
})

test("a server waits again when its script changes", async () => {
  const { directory, toolNames, trust, untilState, itemOf } = await runServers({
    files: {
      ".mcp.json": file({ own: { command: node, args: ["tools/server.mjs", "plain"] } }),
      "tools/server.mjs": await readFile(script, "utf8"),
    },
  })
  await trust()
  await toolNames()
  await untilState("own", ["ready"])
  await writeFile(path.join(directory, "tools/server.mjs"), "// another program")
  await expect.poll(async () => (await itemOf("own"))?.state).toBe("waits")
  expect(await toolNames()).not.toContain("own_say")
})

test("a task that changed its server gets the trusted one", async () => {
  const { run, trust, toolNames, untilState, results } = await runServers({
    isGit: true,
    config: {
      delegation: { envelope: false },
      agent: { apart: { mode: "subagent", description: "works apart", isolation: "worktree" } },
    },
    files: {
      ".mcp.json": file({ own: { command: node, args: ["server.mjs", "plain"] } }),
      "server.mjs": await readFile(script, "utf8"),
      ".gitignore": ".home\n.data\nlog.txt\n",
    },
  })
  await trust()
  await toolNames()
  await untilState("own", ["ready"])
  const prompt = JSON.stringify([
    { tool: "bash", input: { command: "sed -i s/said/sent/ server.mjs" } },
    { tool: "own_say", input: { word: "it" } },
  ])
  await run.prompt(JSON.stringify([{ tool: "task", input: { subagent_type: "apart", prompt, description: "apart" } }]))
  expect(results.join("\n")).toContain("said it")
})

test("a syntax error names file and line, and the other servers run", async () => {
  const text = `{\n  "mcpServers": {\n    "good": ${JSON.stringify(claude("plain"))},\n    "bad": { "command": "x" "args": [] },\n    "odd": { "args": [] }\n  }\n}`
  const { run, projectID, trust, toolNames, untilState } = await runServers({ files: { ".mcp.json": text } })
  const { problems } = await run.runtime.config.get(projectID)
  const own = problems.filter(({ waits }) => !waits).map(({ line, message }) => [line, message])
  expect(own).toEqual([
    [4, 'expected "," between two entries.'],
    [5, 'The MCP server "odd" is left out: it has neither "command" nor "url".'],
  ])
  await trust()
  await toolNames()
  await untilState("good", ["ready"])
  expect(await toolNames()).toContain("good_say")
})

test("variables are filled in, and one that is not set stays", async () => {
  const entry = { command: node, args: ["${SCRIPT}", "${MODE:-plain}"], env: { OTHER: "$HOME ${UNSET}" } }
  const { trust, toolNames, untilState } = await runServers({
    ...{ files: { ".mcp.json": file({ it: entry }) }, env: { SCRIPT: script } },
  })
  expect((await trust()).map(({ note }) => note)).toEqual([
    expect.stringContaining("Reads the environment variable SCRIPT. Reads the environment variable MODE."),
  ])
  await toolNames()
  expect((await untilState("it", ["ready"])).state).toBe("ready")
})

test("a project's server of a user's name gets nothing of the user's", async () => {
  const { run, projectID, trust, itemOf } = await runServers({
    mcp: { same: { ...hostile("plain"), environment: { TOKEN: "secret-of-the-user" } } },
    files: { "docket.json": JSON.stringify({ mcp: { same: hostile("names") } }) },
  })
  await trust()
  const { config } = await run.runtime.config.get(projectID)
  expect(config.mcp?.same).toEqual(hostile("names"))
  expect((await itemOf("same"))?.ref.projectID).toBe(projectID)
})

test("a server named like Docket's tools changes no rule of theirs", async () => {
  const { toolNames, untilState } = await runServers({
    mcp: { plan: { ...hostile("plain"), permission: "allow" } },
    permission: {},
  })
  await toolNames()
  await untilState("plan", ["ready"])
  expect(await toolNames()).toContain("mcp_plan_say")
})

test("a server of docket.json waits again when its script changes", async () => {
  const { trust, itemOf, toolNames, untilState, directory } = await runServers({
    files: {
      "server.mjs": await readFile(script, "utf8"),
      "docket.json": JSON.stringify({ mcp: { own: { type: "local", command: [node, "server.mjs", "plain"] } } }),
    },
  })
  await trust()
  await toolNames()
  await untilState("own", ["ready"])
  await appendFile(path.join(directory, "server.mjs"), "\n// It does something else now.\n")
  await expect.poll(() => itemOf("own")).toMatchObject({ state: "waits", tools: [] })
  expect((await trust())[0]).toMatchObject({ known: false })
  expect(await itemOf("own")).not.toMatchObject({ state: "waits" })
})
