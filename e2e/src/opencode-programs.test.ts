import { execFile } from "node:child_process"
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { onTestFinished } from "vitest"
import { install } from "./fixtures/fresh-project.ts"
import { createGate } from "./fixtures/gate.ts"
import { expect, test } from "./fixtures/service-test.ts"
import { openTerminal } from "./fixtures/terminal.ts"

const run = promisify(execFile)
const script = fileURLToPath(new URL("../../examples/opencode-script", import.meta.url))

test.override({ config: { delegation: { envelope: false }, permission: { bash: "ask" } } })

/** A folder outside of this workspace. */
async function elsewhere(): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), "docket-opencode-"))
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 3 }))
  return directory
}

const touch = { tool: "bash", args: { command: "touch made.txt", description: "Touch" } }

test("a script of OpenCode's SDK prompts, answers, delegates, stops and forks", async ({
  server,
  project,
  model,
  skip,
}) => {
  const folder = await elsewhere()
  await cp(script, folder, { recursive: true, filter: (file) => !file.includes("node_modules") })
  const unreachable = await install(folder)
  if (unreachable !== null) return skip(unreachable)
  const todos = [{ content: "Look", status: "in_progress", priority: "high" }]
  const gate = createGate()
  onTestFinished(() => gate.open())
  model.script({
    "Make a plan": [{ calls: [{ tool: "todowrite", args: { todos } }, touch] }, { text: "The plan is made." }],
    "Look for ever": [{ text: "Never said.", gate }],
  })
  const { stdout } = await run(process.execPath, ["script.mjs", project.directory], {
    cwd: folder,
    env: { ...process.env, OPENCODE_URL: `${server.url}/opencode`, OPENCODE_SERVER_PASSWORD: server.token },
  })
  expect(JSON.parse(stdout)).toEqual({
    streamed: "The plan is made.",
    permissions: ["touch made.txt"],
    answer: "The plan is made.",
    todos: [["Look", "in_progress"]],
    children: ["Look around"],
    childStatus: "idle",
    fork: { title: "A script (fork #1)", messages: 2, of: 3 },
  })
})

const isFull = process.env.DOCKET_TEST_FULL === "1"

test.runIf(isFull)(
  "opencode attach prompts, streams, and answers a permission",
  async ({ server, project, model, client, skip }) => {
    const folder = await elsewhere()
    await writeFile(
      path.join(folder, "package.json"),
      JSON.stringify({ private: true, dependencies: { "opencode-ai": "1.18.33" } }),
    )
    const unreachable = await install(folder)
    if (unreachable !== null) return skip(unreachable)
    model.script({
      "Say good morning": [{ text: "Good morning to you." }],
      "Touch a file": [{ calls: [touch] }, { text: "It is touched." }],
    })
    const program = path.join(folder, "node_modules/.bin/opencode")
    const terminal = await openTerminal([program, "attach", `${server.url}/opencode`, "-p", server.token], {
      cwd: project.directory,
      env: {
        HOME: folder,
        XDG_DATA_HOME: folder,
        XDG_CONFIG_HOME: folder,
        XDG_STATE_HOME: folder,
        XDG_CACHE_HOME: folder,
      },
    })
    if (terminal === null) return skip("there is no tmux")
    onTestFinished(() => terminal.close())
    await terminal.shows("Ask anything")
    await terminal.type("Say good morning")
    await terminal.press("Enter")
    await terminal.shows("Good morning to you.")
    await terminal.type("Touch a file")
    await terminal.press("Enter")
    await terminal.shows("Permission required")
    await terminal.press("Enter")
    await terminal.shows("It is touched.")
    const { items } = await client.session.list.query({})
    expect(items).toHaveLength(1)
  },
)
