import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test, vi } from "vitest"
import { dyingStore } from "../../contract/dying-store.ts"
import { createInMemoryStore } from "../../ground/store/index.ts"
import { answer, type Script, scriptedRuntime } from "../../test/scripted-runtime.ts"

interface Outcome {
  /** The contents of the todo list. */
  todos: string[]
  /** The text of the transcript, in order. */
  text: string
  survived: boolean
}

/** Kills the process before the write after `kept`, starts another one on the same store, and waits for its end. */
async function crash(root: string, given: { script: Script; prompt: string; kept: number }): Promise<Outcome> {
  const directory = join(root, String(given.kept))
  await mkdir(directory, { recursive: true })
  const store = createInMemoryStore()
  const first = dyingStore(store, () => {})
  const host = await scriptedRuntime(given.script, { store: first.store, directory })
  const sessionID = host.session.id
  first.dieAfter(given.kept)
  const finished = (async () => {
    await host.prompt(given.prompt)
    return true
  })()
  finished.catch(() => {})
  const survived = await Promise.race([finished, first.dead.then(() => false)])
  // The title is written after the turn: that write may be the one that fails.
  if (survived) await Promise.race([host.runtime.close(), first.dead])
  await using next = await scriptedRuntime(given.script, { store, directory })
  await vi.waitFor(async () => expect((await next.runtime.session.tree(sessionID)).turns).toEqual([]), {
    timeout: 60_000,
    interval: 10,
  })
  expect(next.errors).toEqual([])
  const { items } = await next.messages(sessionID)
  const text = items.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "text" ? [part.text] : [])))
  const todos = (await next.runtime.todo.list(sessionID)).map((todo) => todo.content)
  return { todos, text: text.join("\n"), survived }
}

/** The outcomes of all crashes of one turn, from its first write on. */
async function everyCrash(script: Script, prompt: string): Promise<Outcome[]> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "docket-inline-command-crash-")))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const outcomes: Outcome[] = []
  for (let kept = 0; ; kept++) {
    const outcome = await crash(root, { script, prompt, kept })
    outcomes.push(outcome)
    if (outcome.survived) return outcomes
  }
}

const commands = "/todo add one\n/todo add two"
const brokenOff = /some of them may have taken effect/

function expectOnceOrTold(outcomes: Outcome[]): void {
  const told = outcomes.filter(({ text }) => brokenOff.test(text))
  for (const [kept, { todos, text }] of outcomes.entries()) {
    const when = `after ${kept} writes: ${text}`
    expect(new Set(todos).size, when).toBe(todos.length)
    // A prompt whose turn was never stored was never accepted.
    if (todos.length < 2 && text.includes("/todo add one")) expect(text, when).toMatch(brokenOff)
    expect(text.split("OK: added #1").length, when).toBeLessThan(3)
  }
  expect(told.length).toBeGreaterThan(0)
  expect(outcomes.filter(({ todos }) => todos.length === 2).length).toBeGreaterThan(told.length)
}

test("a crash around an answer's commands repeats none and reports uncertain ones", async () => {
  const script: Script = (options) => {
    const done = options.prompt.some(
      ({ role, content }) =>
        role === "user" &&
        content.some((part) => part.type === "text" && /END TOOL RESULTS|commands above/.test(part.text)),
    )
    return answer(done ? "Noted." : commands)
  }
  expectOnceOrTold(await everyCrash(script, "Plan"))
})

test("a crash around a prompt's commands repeats none and asks no model", async () => {
  const outcomes = await everyCrash(() => {
    throw new Error("no model is asked")
  }, commands)
  expectOnceOrTold(outcomes)
})

test("a crash around commands beside a request repeats none; the model answers", async () => {
  const outcomes = await everyCrash(() => answer("Yes. "), `${commands}\n\nand say yes`)
  expectOnceOrTold(outcomes)
  for (const { text } of outcomes) if (text.includes("say yes")) expect(text).toContain("Yes.")
})
