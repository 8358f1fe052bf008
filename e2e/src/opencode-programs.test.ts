import { execFile } from "node:child_process"
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { onTestFinished } from "vitest"
import { install } from "./fixtures/fresh-project.ts"
import { createGate } from "./fixtures/gate.ts"
import type { Answer } from "./fixtures/scripted-model.ts"
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
  // Long enough to come in pieces.
  const plan = `${"First this, then that. ".repeat(100)}That is the plan.`
  const todos = [{ content: "Look", status: "in_progress", priority: "high" }]
  const gate = createGate()
  onTestFinished(() => gate.open())
  model.script({
    "Make a plan": [{ calls: [{ tool: "todowrite", args: { todos } }, touch] }, { text: plan }],
    "Look for ever": [{ text: "Never said.", gate }],
  })
  const { stdout } = await run(process.execPath, ["script.mjs", project.directory], {
    cwd: folder,
    env: { ...process.env, OPENCODE_URL: `${server.url}/opencode`, OPENCODE_SERVER_PASSWORD: server.token },
  })
  const { pieces, ...report } = JSON.parse(stdout)
  expect(pieces).toBeGreaterThan(1)
  expect(report).toEqual({
    ...{ streamed: plan, answer: plan },
    permissions: ["touch made.txt"],
    todos: [["Look", "in_progress"]],
    children: ["Look around"],
    childStatus: "idle",
    fork: { title: "A script (fork #1)", messages: 2, of: 3 },
  })
})

const question = {
  tool: "question",
  args: {
    questions: [
      {
        ...{ header: "Colour", question: "Which colour?" },
        options: [
          { label: "Red", description: "Warm" },
          { label: "Blue", description: "Cold" },
        ],
      },
    ],
  },
}
const look = { tool: "task", args: { description: "Look", prompt: "Look around", subagent_type: "general" } }

const isFull = process.env.DOCKET_TEST_FULL === "1"

test.runIf(isFull)(
  "opencode attach prompts, answers, delegates, runs commands and stops",
  async ({ server, project, model, client, skip }) => {
    const folder = await elsewhere()
    await writeFile(
      path.join(folder, "package.json"),
      JSON.stringify({ private: true, dependencies: { "opencode-ai": "1.18.33" } }),
    )
    const unreachable = await install(folder)
    if (unreachable !== null) return skip(unreachable)
    const asked = Promise.withResolvers<void>()
    const gate = createGate()
    onTestFinished(() => gate.open())
    const waiting = (): Answer => {
      asked.resolve()
      return { text: "Never said.", gate }
    }
    model.script({
      "Ask me": [{ calls: [question] }, { text: "You chose." }],
      "Delegate this": [{ calls: [look] }, { text: "It is delegated." }],
      "Look around": [{ text: "Looked." }],
      "Wait for ever": waiting,
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
    await terminal.type("Ask me")
    await terminal.press("Enter")
    await terminal.shows("2. Blue")
    await terminal.press("Enter")
    await terminal.shows("You chose.")
    await terminal.type("Delegate this")
    await terminal.press("Enter")
    await terminal.shows("It is delegated.")
    // "!" begins a shell command.
    await terminal.type("!")
    await terminal.type("echo $((40 + 2))")
    await terminal.press("Enter")
    await terminal.shows("Permission required")
    await terminal.press("Enter")
    await terminal.shows("42")
    await terminal.type("Wait for ever")
    await terminal.press("Enter")
    await asked.promise
    await terminal.press("Escape")
    await terminal.shows("again to interrupt")
    await terminal.press("Escape")
    await terminal.shows("interrupted")
    const { items } = await client.session.list.query({})
    expect(items).toMatchObject([{ children: 1, session: { status: { type: "idle" } } }])
  },
)
