import { expect, test } from "vitest"
import { createBus } from "../ground/event/bus.ts"
import { noFollower } from "../ground/event/follow-trees.ts"
import { createJournal, type Journal } from "../ground/event/journal.ts"
import { noRelay } from "../ground/event/relay.ts"
import { createIdSource } from "../ground/id/create-id.ts"
import { homeOwner } from "../ground/redact/index.ts"
import type { Session } from "../ground/schema/index.ts"
import type { Store } from "../ground/store/port/index.ts"
import { createShares, type Shares } from "../records/share/shares.ts"
import { localCaller } from "../test/as-local.ts"
import { newSession, newTextPart, newUserMessage } from "../test/entities.ts"
import type { MakeCrashable } from "./crash-contract.ts"
import { dyingStore } from "./dying-store.ts"

const secret = `AKIA${"Q7XZ".repeat(4)}`
const anyone = { isMember: false, pass: null }
const createID = createIdSource()

interface Host {
  shares: Shares
  journal: Journal
}

/** A tree with a child that will be excluded, and what the owner did with its links before the crash. */
interface ShareWork {
  session: Session
  child: Session
  secrets: string[]
  /** Steps that returned: their effect must hold from then on. */
  done: Set<"created" | "said" | "left" | "moved" | "revoked" | "removed">
}

/** Declares a test in which a process dies between two writes of a share, and another process checks what is left. */
export function shareCrashContract(name: string, open: MakeCrashable): void {
  test(`a crash during sharing exposes nothing; the next reader catches up: ${name}`, async () => {
    for (let kept = 0; ; kept++) if (await crashAndLook(open, kept)) return
  })
}

function start(store: Store): Host {
  const bus = createBus((error) => {
    throw error
  })
  const shares = createShares({
    store,
    bus,
    createID,
    clock: Date.now,
    follower: noFollower,
    relay: noRelay,
    owner: homeOwner("/home/alice"),
    frameOf: async () => ({ author: null, embedSites: [] }),
    mayShare: async () => true,
    readFile: async () => null,
    secretsOf: async () => ({ known: [], patterns: [] }),
    onError: (error) => {
      throw error
    },
  })
  return { shares, journal: createJournal({ store, bus }) }
}

/** Crashes after `kept` writes. Returns whether everything was done before. */
async function crashAndLook(open: MakeCrashable, kept: number): Promise<boolean> {
  const { store, crash, dispose } = await open()
  try {
    const first = dyingStore(store, () => {})
    const host = start(first.store)
    const session = newSession(createID, { title: `Use ${secret}` })
    const child = newSession(createID, { parentID: session.id, rootID: session.id, depth: 1, title: "hidden child" })
    const shareWork: ShareWork = { session, child, secrets: [], done: new Set() }
    for (const value of [session, child]) await host.journal.commit(session.id, [{ kind: "session", value }])
    await say(host, session, `first ${secret}`)
    await say(host, child, "hidden words")
    first.dieAfter(kept)
    const finished = work(host, shareWork).then(() => true)
    finished.catch(() => {})
    const survived = await Promise.race([finished, first.dead.then(() => false)])
    const storeAfter = await crash()
    await expectKept(start(storeAfter), storeAfter, shareWork, `after ${kept} writes`)
    return survived
  } finally {
    await dispose()
  }
}

async function say({ journal }: Host, session: Session, text: string): Promise<void> {
  const message = newUserMessage(createID, session.id)
  const part = newTextPart(createID, message, text)
  await journal.commit(session.rootID, [
    { kind: "message", value: message },
    { kind: "part", value: part },
  ])
}

/** All that an owner does with links: creates two, changes one, renews its link and revokes it. */
async function work(host: Host, { session, child, secrets, done }: ShareWork): Promise<void> {
  const { shares } = host
  const one = await shares.create(session, {}, localCaller)
  secrets.push(one.secret)
  done.add("created")
  await say(host, session, `second ${secret}`)
  await shares.copy.tree(one.share.id)
  done.add("said")
  await shares.copy.visit(one.share.id)
  await shares.update(one.share.id, { left: [child.id] }, localCaller)
  done.add("left")
  const next = await shares.relink(one.share.id, localCaller)
  secrets.push(next.secret)
  done.add("moved")
  const other = await shares.create(session, { left: [child.id] }, localCaller)
  secrets.push(other.secret)
  await shares.revoke(one.share.id, localCaller)
  done.add("revoked")
  await shares.revokeAll({ rootID: session.id }, localCaller)
  await host.journal.commit(session.id, [{ kind: "session.remove", sessionID: session.id }])
  done.add("removed")
}

async function expectKept({ shares }: Host, store: Store, { secrets, done }: ShareWork, when: string): Promise<void> {
  const rows = await store.share.list()
  for (const share of rows) {
    const stored = JSON.stringify(await store.shareCopy.changesSince(share.id, 0, 1_000))
    expect(stored, when).not.toContain(secret)
    if (share.time.revoked !== null) {
      await expect(shares.copy.tree(share.id), when).rejects.toThrow("no share")
      continue
    }
    const shown = await everything(shares, share.id)
    expect(shown, when).not.toContain(secret)
    expect(shown, when).toContain("first [redacted")
    if (done.has("said")) expect(shown, when).toContain("second [redacted")
    expect(shown.includes("hidden words"), when).toBe(share.left.length === 0)
  }
  const [first = "", moved = "", last = ""] = secrets
  const opens = async (link: string) => (await shares.resolve(link, anyone)) !== null
  if (done.has("created") && !done.has("left")) expect(await opens(first), when).toBe(true)
  if (done.has("left"))
    expect(
      rows.every(({ left }) => left.length > 0),
      when,
    ).toBe(true)
  if (done.has("moved")) expect(await opens(first), when).toBe(false)
  if (done.has("revoked")) expect(await opens(moved), when).toBe(false)
  if (done.has("removed")) expect([rows, await opens(last)], when).toEqual([[], false])
}

async function everything({ copy }: Shares, id: string): Promise<string> {
  const tree = await copy.tree(id)
  const pages = await Promise.all(tree.sessions.map(({ id: sessionID }) => copy.messages(id, { sessionID })))
  return JSON.stringify({ tree, pages })
}
