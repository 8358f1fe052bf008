import { expect, it } from "vitest"
import { createBus } from "../ground/event/bus.ts"
import { createJournal } from "../ground/event/journal.ts"
import { homeOwner } from "../ground/redact/index.ts"
import type { Project, SessionFile } from "../ground/schema/index.ts"
import type { Store } from "../ground/store/port/index.ts"
import { createTransfers, type TransfersDeps } from "../records/transfer/create-transfers.ts"
import type { TransferService } from "../records/transfer/transfer-service.ts"
import { localCaller } from "../test/as-local.ts"
import { keptInMemory } from "../test/kept-in-memory.ts"
import { dyingStore } from "./dying-store.ts"
import type { OpenStore } from "./make-store.ts"
import {
  assistantMessage,
  childOf,
  comment,
  newId,
  root,
  task,
  textPart,
  thread,
  todo,
  todoChange,
  toolPart,
  turn,
  userMessage,
  verdict,
} from "./rows.ts"

export const project: Project = {
  id: newId("project"),
  name: "there",
  directory: "/there",
  worktree: "/there",
  git: false,
  time: { created: 1, opened: 1 },
}

/** Export and import over a store, without output files. */
export function transfersOver(store: Store, given: Partial<TransfersDeps> = {}): TransferService {
  const onError = (error: unknown) => {
    throw error
  }
  const deps: TransfersDeps = {
    store,
    journal: createJournal({ store, bus: createBus(onError) }),
    clock: Date.now,
    async sessionByID(id) {
      const session = await store.session.get(id)
      if (session === null) throw new Error(`no session ${id}`)
      return session
    },
    usualVisibility: () => "workspace" as const,
    readForeignFile: async () => null,
    projectByID: async () => project,
    leadAgent: async (_, name) => name,
    attachments: keptInMemory(store),
    secretsOf: async () => ({ owner: homeOwner("/home/alice"), known: [], patterns: [] }),
    outputs: {
      page: async () => ({ text: "", next: null, size: 0 }),
      pathOf: () => "/nowhere",
      keep: async () => {},
    },
    onError,
    ...given,
  }
  return createTransfers(deps, localCaller)
}

/** The exported file of the session's tree, as text. */
export async function exported(store: Store, rootID: string): Promise<string> {
  let text = ""
  const pieces = await transfersOver(store).export(rootID, { format: "json", sanitize: false })
  for await (const piece of pieces) text += piece
  return text
}

export function bytesOf(file: string | object): Uint8Array {
  return new TextEncoder().encode(typeof file === "string" ? file : JSON.stringify(file))
}

/** Writes a tree with a child and a row of every kind that an export contains. Returns the id of its root. */
export async function putTree(store: Store): Promise<string> {
  const top = root({ title: "Mend the gate", time: { created: 1_000, updated: 2_000, archived: 3_000 } })
  const child = childOf(top, { permission: [{ permission: "task", pattern: "*", action: "deny" }] })
  const ask = userMessage(top)
  const reply = assistantMessage(top, { parentID: ask.id })
  const brief = userMessage(child)
  const item = todo(top, 0, { number: await store.write.reserveTodoNumbers(1) })
  const listed = {
    status: "completed" as const,
    input: { command: "ls" },
    output: "a b",
    title: "ls",
    metadata: { exit: 0 },
    time: { start: 1, end: 2 },
  }
  const delegated = task(child, 1, {
    state: "completed",
    delivered: "result",
    time: { created: 1, started: 2, ended: 3 },
  })
  const undone = { messageID: reply.id, messages: 1, mark: newId("message"), at: 4_000, children: [child.id] }
  const state = "undone" as const
  const files = { state, before: "b", after: "a", count: 1, paths: ["a.txt"], left: [], note: null }
  const talk = thread(child)
  await store.write.commit([
    {
      rootID: top.id,
      mutations: [
        { kind: "session", value: { ...top, revert: { ...undone, files } } },
        { kind: "session", value: child },
        ...[ask, reply, brief].map((value) => ({ kind: "message" as const, value })),
        ...[textPart(ask, "Look."), toolPart(reply, listed), textPart(brief, "Dig.")].map((value) => ({
          kind: "part" as const,
          value,
        })),
        { kind: "todos", sessionID: top.id, value: [item], changes: [todoChange(null, item)] },
        { kind: "turn", value: turn(top, { status: "completed", messageID: ask.id }) },
        { kind: "task", value: delegated },
        { kind: "verdict", value: verdict(delegated) },
        { kind: "thread", value: talk },
        { kind: "comment", value: comment(talk) },
      ],
    },
  ])
  return top.id
}

/** Removes what an import changes: the project, the numbers of todos, and the prefix of imported users. */
function comparable(text: string): SessionFile {
  const file: SessionFile = JSON.parse(text.replaceAll('"imported:', '"'), (key, value) =>
    key === "number" || key === "projectID" ? 0 : value,
  )
  for (const { session } of file.sessions) session.directory = ""
  return file
}

export function transferContract(open: OpenStore): void {
  it("an exported tree imports into an empty store almost unchanged", async () => {
    const [here, there] = [await open(), await open()]
    const rootID = await putTree(here)
    const file = await exported(here, rootID)
    const report = await transfersOver(there).import(bytesOf(file), { projectID: project.id })
    expect(report).toMatchObject({ sessionID: rootID, from: "docket", left: [] })
    expect(report.counts).toEqual({ sessions: 2, messages: 3, parts: 3, todos: 1, tasks: 1, comments: 1 })
    const again = await exported(there, rootID)
    expect(JSON.stringify(comparable(again))).toBe(JSON.stringify(comparable(file)))
    const top = await rootOf(there, rootID)
    expect(top.imported).toMatchObject({ from: "docket", by: localCaller })
    expect(top.time.archived).toBe(3_000)
    expect(top.revert).toMatchObject({ messages: 1, files: { state: "kept", before: null, after: null } })
    expect(await there.turn.open()).toEqual([])
  })

  it("refuses existing rows without overwriting, and copies with new ids", async () => {
    const store = await open()
    const rootID = await putTree(store)
    const file = await exported(store, rootID)
    const transfers = transfersOver(store)
    await expect(transfers.import(bytesOf(file), { projectID: project.id })).rejects.toThrow("here already")
    const copy = await transfers.import(bytesOf(file), { projectID: project.id, newIDs: true })
    expect(copy.sessionID).not.toBe(rootID)
    const text = await exported(store, copy.sessionID)
    expect(text).not.toContain(rootID)
    const shapeOf = (of: string) => JSON.stringify(comparable(of)).replaceAll(/_[0-9a-f]{12}[0-9A-Za-z]{14}/g, "")
    expect(shapeOf(text)).toBe(shapeOf(file))
    expect(await exported(store, rootID)).toBe(file)
  })

  it("stores nothing from a file containing any row of another tree", async () => {
    const store = await open()
    const rootID = await putTree(store)
    const taken: SessionFile = JSON.parse(await exported(store, rootID))
    const other = await exported(store, await putTree(store))
    const before = await exported(store, rootID)
    const steal: ((file: SessionFile) => void)[] = [
      (file) => Object.assign(firstPart(file), { id: firstPart(taken).id }),
      (file) => Object.assign(file.sessions[0]?.todos[0] ?? {}, { id: taken.sessions[0]?.todos[0]?.id }),
      (file) => Object.assign(file.sessions[0]?.turns[0] ?? {}, { id: taken.sessions[0]?.turns[0]?.id }),
      (file) => Object.assign(file.tasks[0] ?? {}, { id: taken.tasks[0]?.id }),
      (file) => Object.assign(file.sessions[0]?.todoChanges[0] ?? {}, { id: taken.sessions[0]?.todoChanges[0]?.id }),
    ]
    for (const take of steal) {
      const file: SessionFile = JSON.parse(withUnusedIDs(other))
      take(file)
      // A verdict belongs to a task by its id, which may just have changed.
      file.reviews.verdicts = []
      await expect(transfersOver(store).import(bytesOf(file), { projectID: project.id })).rejects.toThrow("already")
      expect(await store.session.get(file.rootID)).toBeNull()
    }
    expect(await exported(store, rootID)).toBe(before)
  })

  it("stores a whole tree or none when the process dies", async () => {
    const here = await open()
    const file = await exported(here, await putTree(here))
    for (let kept = 0, survived = false; !survived; kept++) {
      const there = await open()
      const mortal = dyingStore(there, () => {})
      mortal.dieAfter(kept)
      const importing = transfersOver(mortal.store).import(bytesOf(file), { projectID: project.id })
      survived = await Promise.race([importing.then(() => true), mortal.dead.then(() => false)])
      const { rootID }: SessionFile = JSON.parse(file)
      const isThere = (await there.session.get(rootID)) !== null
      expect(isThere).toBe(survived)
      if (isThere) expect(comparable(await exported(there, rootID))).toEqual(comparable(file))
    }
  })
}

/** The file with ids that no row has, so that an import can collide only with an id that is put in afterwards. */
function withUnusedIDs(file: string): string {
  return file.replaceAll(/_([0-9a-f]{12}[0-9A-Za-z]{10})[0-9A-Za-z]{4}/g, "_$1zzzz")
}

function firstPart(file: SessionFile): { id?: string } {
  return file.sessions[0]?.messages[0]?.parts[0] ?? {}
}

async function rootOf(store: Store, rootID: string) {
  const session = await store.session.get(rootID)
  if (session === null) throw new Error("no root")
  return session
}
