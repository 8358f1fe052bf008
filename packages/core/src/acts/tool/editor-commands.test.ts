import { expect, test } from "vitest"
import type { EditorAnswer } from "../../ground/schema/index.ts"
import { type Confinement, unconfined } from "../sandbox/confinement.ts"
import { createBashTool } from "./bash.ts"
import { type EditorTerminal, editorCommands, outsideInEditor } from "./editor-commands.ts"
import { localMachine } from "./local-machine.ts"
import { runTool } from "./run-tool.ts"
import { createToolFixture } from "./test/tool-fixture.ts"

const bash = createBashTool({ env: process.env, clock: Date.now })
const ended = { kind: "ended", output: "from the editor\n", isCut: false, exit: 0, signal: null } as const

/** A project whose editor answers commands; `isOffered` false is an editor without a terminal. */
function createPlace(answer: Awaited<ReturnType<EditorTerminal["run"]>>, { isOffered = true } = {}) {
  const fixture = createToolFixture({ "*": "allow", sandbox: "allow" })
  const ran: string[] = []
  const signals: AbortSignal[] = []
  const terminal: EditorTerminal = {
    isOffered: () => isOffered,
    async run({ command }, signal) {
      ran.push(command)
      signals.push(signal)
      return answer
    },
  }
  const context = {
    ...fixture.context,
    commands: editorCommands(localMachine.commands, terminal),
    confinement: async () => outsideInEditor(unconfined, terminal),
  }
  const run = (command: string, more = {}) => runTool(bash, { command, ...more }, context)
  return { ...fixture, run, ran, signals, terminal }
}

test("a command runs in the terminal, and its card says so", async () => {
  const place = createPlace(ended)
  expect((await place.run("npm test")).output).toBe("from the editor\n[exit code 0]")
  expect(place.ran).toEqual(["npm test"])
  const metadata = place.asks.find(({ permission }) => permission === "sandbox")?.metadata
  expect(typeof metadata === "function" ? await metadata() : metadata).toMatchObject({
    kind: "command",
    outside: "Your editor runs it in its own terminal, not in the sandbox.",
  })
})

test("without a terminal a command runs as usual", async () => {
  const place = createPlace(null, { isOffered: false })
  expect((await place.run("echo here")).output).toBe("here\n[exit code 0]")
  expect(place.ran).toEqual([])
  expect(place.patterns("sandbox")).toEqual([])
})

test("a required sandbox is not left for a terminal", () => {
  const terminal = { isOffered: () => true }
  const required = { kind: "sandbox", mayLeave: false } as Confinement
  const refused: Confinement = { kind: "refused", reason: "none" }
  expect(outsideInEditor(required, terminal)).toBe(required)
  expect(outsideInEditor(refused, terminal)).toBe(refused)
  expect(outsideInEditor({ kind: "sandbox", mayLeave: true } as Confinement, terminal)).toMatchObject({
    kind: "outside",
  })
})

test.for<[string, Partial<EditorAnswer>, string]>([
  ["that failed", { exit: 3 }, "from the editor\n[exit code 3]"],
  ["that a signal ended", { exit: null, signal: "SIGKILL" }, "from the editor\n[ended by SIGKILL]"],
  ["that an unknown signal ended", { exit: null, signal: "toString" }, "from the editor\n[ended by a signal]"],
  ["with a long output", { isCut: true }, "[the beginning of the output is gone"],
])("a command %s is told as it was", async ([, change, output]) => {
  expect((await createPlace({ ...ended, ...change } as typeof ended).run("make")).output).toContain(output)
})

test("a terminal that fails and an editor that leaves are said", async () => {
  await expect(createPlace({ kind: "failed", reason: "no bash" }).run("make")).rejects.toThrow("no bash")
  await expect(createPlace(null).run("make")).rejects.toThrow("it may run on")
})

test("a command that takes too long is ended in the editor", async () => {
  const place = createPlace(ended)
  place.terminal.run = (_, signal) =>
    new Promise((resolve) =>
      signal.addEventListener("abort", () => resolve({ ...ended, exit: null, signal: "SIGTERM" })),
    )
  expect((await place.run("sleep 60", { timeout: 20 })).output).toContain("[stopped after 20 ms.")
})
