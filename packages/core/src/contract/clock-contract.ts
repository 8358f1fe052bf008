import { mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { createIdSource } from "../ground/id/create-id.ts"
import type { TenantDatabase } from "../ground/store/port/index.ts"
import { answer, type Script, scriptedRuntime } from "../test/scripted-runtime.ts"

/** Opens an empty database; `reopen` closes it and opens it again, like the next process does. */
export type MakeReopenable = () => Promise<{
  database: TenantDatabase
  tenantID: string
  reopen: () => Promise<TenantDatabase>
  dispose: () => Promise<void>
}>

const hour = 3_600_000

/** Declares tests in which the machine's clock goes back. */
export function clockContract(name: string, open: MakeReopenable): void {
  test.each([
    ["an hour", hour],
    ["a day", 24 * hour],
  ])(`new items sort last after restarts with a clock %s behind: ${name}`, async (_, back) => {
    const root = await realpath(await mkdtemp(join(tmpdir(), "docket-clock-")))
    onTestFinished(() => rm(root, { recursive: true, force: true, maxRetries: 10 }))
    const { database, tenantID, reopen, dispose } = await open()
    onTestFinished(dispose)
    let now = Date.now()
    const clock = () => now++
    let notices = 0
    const script: Script = (options) => {
      const said = options.prompt.flatMap((message) => (message.role === "user" ? message.content : []))
      const texts = said.flatMap((part) => (part.type === "text" ? [part.text] : []))
      const isNotice = (text: string) => text.startsWith("<system-reminder>The todo list was changed")
      notices += texts.filter(isNotice).length
      return answer(`You said ${texts.filter((text) => !isNotice(text)).at(-1)}.`)
    }
    const start = async (opened: TenantDatabase) => {
      const createID = createIdSource(clock, { after: await opened.newestTime() })
      return scriptedRuntime(script, { store: opened.store(tenantID), directory: root, clock, createID })
    }
    const first = await start(database)
    const { id: sessionID } = first.session
    await first.prompt("one")
    const [todo] = await first.runtime.todo.replace(
      sessionID,
      [{ content: "a", status: "pending", priority: "low" }],
      by,
    )
    await first[Symbol.asyncDispose]()

    now -= back
    const second = await start(await reopen())
    const say = async (text: string) => {
      const turn = await second.runtime.prompt.submit(sessionID, { parts: [{ type: "text", text }] })
      return second.runtime.prompt.wait(turn.id)
    }
    const turns = [await say("two")]
    now -= back
    turns.push(await say("three"))
    const { items } = await second.messages(sessionID)
    const texts = items.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "text" ? [part.text] : [])))
    expect(texts).toEqual(["one", "You said one.", "two", "You said two.", "three", "You said three."])
    for (const { parts } of items) expect(parts.map((part) => part.id)).toEqual(parts.map((part) => part.id).toSorted())
    // Each start creates a session; the newest has the smallest id.
    expect(second.session.id < sessionID).toBe(true)
    expect(turns.map((turn) => turn.id)).toEqual(turns.map((turn) => turn.id).toSorted())
    const later = await second.runtime.todo.create({ sessionID, content: "b" }, by)
    // The agent is notified of the user's todo once, at its next step.
    expect(notices).toBe(1)
    expect(later.id > (todo?.id ?? "")).toBe(true)
    await second[Symbol.asyncDispose]()
  })
}

const by = { actor: { kind: "user", name: "user" } } as const
