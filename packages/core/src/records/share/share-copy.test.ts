import { describe, expect, it } from "vitest"
import { createBus } from "../../ground/event/bus.ts"
import { noFollower } from "../../ground/event/follow-trees.ts"
import { createJournal } from "../../ground/event/journal.ts"
import { noRelay } from "../../ground/event/relay.ts"
import { createIdSource } from "../../ground/id/create-id.ts"
import { homeOwner } from "../../ground/redact/index.ts"
import { longestLeak } from "../../ground/redact/test/longest-leak.ts"
import { secretSamples } from "../../ground/redact/test/secret-samples.ts"
import type { Message, Part, Session } from "../../ground/schema/index.ts"
import { createInMemoryStore, type Mutation, type Store } from "../../ground/store/index.ts"
import { localCaller } from "../../test/as-local.ts"
import { newSession, newTextPart, newUserMessage } from "../../test/entities.ts"
import { createShares } from "./shares.ts"
import { eachEvent } from "./test/each-event.ts"

const secret = `AKIA${"Q7XZ".repeat(4)}`
const anyone = { isMember: false, pass: null }
const label = "[redacted: AWS access key]"

interface SetUp {
  store?: Store
  directory?: string
  now?: () => number
  known?: { value: string; label: string }[]
  mayShare?: boolean
}

async function setUp({ store = createInMemoryStore(), now = () => 7, known = [], mayShare = true }: SetUp = {}) {
  const createID = createIdSource()
  const bus = createBus((error) => {
    throw error
  })
  const journal = createJournal({ store, bus })
  const open = () =>
    createShares({
      store,
      bus,
      createID,
      clock: now,
      follower: noFollower,
      relay: noRelay,
      owner: homeOwner("/home/alice"),
      frameOf: async () => ({ author: null, embedSites: [] }),
      mayShare: async () => mayShare,
      readFile: async () => null,
      secretsOf: async () => ({ known, patterns: [] }),
      onError: (error) => {
        throw error
      },
    })
  const session = newSession(createID, { title: `Use ${secret}`, directory: "/home/alice/work" })
  await journal.commit(session.id, [{ kind: "session", value: session }])
  const commit = (...mutations: Mutation[]) => journal.commit(session.id, mutations)
  const say = async (text: string, fields: Partial<Part> = {}, of: Session = session): Promise<[Message, Part]> => {
    const message = newUserMessage(createID, of.id)
    // Only what the test names differs from a text part.
    const part = { ...newTextPart(createID, message, text), ...fields } as Part
    await commit({ kind: "message", value: message }, { kind: "part", value: part })
    return [message, part]
  }
  const child = async (fields: Partial<Session> = {}): Promise<Session> => {
    const own = { parentID: session.id, rootID: session.id, depth: 1, ...fields }
    const value = newSession(createID, own)
    await commit({ kind: "session", value })
    return value
  }
  return { bus, child, commit, createID, journal, open, say, session, shares: open(), store }
}

type Made = Awaited<ReturnType<typeof setUp>>

async function everything({ shares }: Made, id: string): Promise<string> {
  const tree = await shares.copy.tree(id)
  const pages = await Promise.all(tree.sessions.map(({ id: sessionID }) => shares.copy.messages(id, { sessionID })))
  return JSON.stringify({ tree, pages })
}

/** Reads a `.env` file with a tool call that shows it. */
async function readEnvFile(made: Made): Promise<void> {
  const [message] = await made.say("Read it")
  const read: Part = {
    id: made.createID("part"),
    sessionID: made.session.id,
    messageID: message.id,
    type: "tool",
    callID: "call_1",
    tool: "read",
    state: {
      status: "completed",
      input: { filePath: "/work/.env" },
      output: "00001| DB_PASSWORD=plain-words-only\n00002| PORT=80",
      title: ".env",
      metadata: {},
      time: { start: 1, end: 2 },
    },
  }
  await made.commit({ kind: "part", value: read })
}

const create = async (made: Made, choice = {}) => (await made.shares.create(made.session, choice, localCaller)).share.id

describe("the copy that a share serves", () => {
  it("holds the tree without its secrets, in every kind of row", async () => {
    const made = await setUp({ known: [{ value: "hunter2-swordfish", label: "key of a provider" }] })
    const [message] = await made.say(`Here is ${secret} in /home/alice/work`)
    const id = made.createID("part")
    const call: Part = {
      id,
      sessionID: made.session.id,
      messageID: message.id,
      type: "tool",
      callID: "call_1",
      tool: "bash",
      state: {
        status: "completed",
        input: { command: `echo ${secret}` },
        output: "hunter2-swordfish",
        title: secret,
        metadata: { output: secret, [secret]: secret },
        time: { start: 1, end: 2 },
      },
      providerMetadata: { provider: { signature: "opaque" } },
    }
    await made.commit({ kind: "part", value: call })
    const all = await everything(made, await create(made))
    expect(all).not.toContain(secret)
    expect(all).not.toContain("hunter2")
    expect(all).not.toContain("alice")
    expect(all).not.toContain("opaque")
    expect(all).toContain(label)
    expect(all).toContain("echo ")
  })

  it("contains none of a hundred planted secrets, nor does its stream", async () => {
    const made = await setUp()
    const before = secretSamples.filter((_, index) => index % 2 === 0)
    for (const { text } of before) await made.say(text)
    const id = await create(made)
    const left = new AbortController()
    const { seq } = await made.shares.copy.tree(id)
    for (const { text } of secretSamples.filter((sample) => !before.includes(sample))) await made.say(text)
    await made.say("the end")
    let all = JSON.stringify(await made.shares.copy.messages(id, { sessionID: made.session.id, limit: 1_000 }))
    for await (const { json } of eachEvent(made.shares.copy.follow(id, seq, left.signal))) {
      all += json
      if (json.includes("the end")) left.abort()
    }
    const leaks = secretSamples.filter((sample) => longestLeak(all, sample) > 4)
    expect(leaks.map(({ name }) => name)).toEqual([])
  })

  it("follows what is said later, each part scanned before it is seen", async () => {
    const made = await setUp()
    const id = await create(made)
    await made.say(`later ${secret}`)
    expect(await everything(made, id)).toContain(`later ${label}`)
  })

  it("hides a secret split over neighbouring parts, also after a restart", async () => {
    const made = await setUp()
    const id = await create(made)
    await made.say(`the key is ${secret.slice(0, 11)}`)
    await made.shares.copy.tree(id)
    await made.say(`${secret.slice(11)} and that is it`)
    const again = { ...made, shares: made.open() }
    expect(await everything(again, id)).not.toContain(secret.slice(11))
  })

  it("hides values of a .env file shown in the transcript, everywhere", async () => {
    const made = await setUp()
    await readEnvFile(made)
    await made.say("so I connect with plain-words-only now")
    const all = await everything(made, await create(made))
    expect(all).not.toContain("plain-words-only")
    expect(all).toContain("[redacted: value of DB_PASSWORD]")
  })

  it("is scanned again after a .env value becomes known, even across processes", async () => {
    const made = await setUp()
    await made.say("I try plain-words-only as the password")
    const [id, other] = [await create(made), await create(made)]
    expect(await everything(made, id)).toContain("I try plain-words-only")
    expect(await everything(made, other)).toContain("I try plain-words-only")
    await readEnvFile(made)
    expect(await everything(made, id)).toContain("I try [redacted: value of DB_PASSWORD]")
    // As after a crash: the file was read, and nothing was written since.
    const all = await everything({ ...made, shares: made.open() }, other)
    expect(all).toContain("I try [redacted: value of DB_PASSWORD]")
    expect(all).not.toContain("plain-words-only")
  })

  it("is scanned again, frozen or live, when the server learns a value", async () => {
    let now = 7
    const known: { value: string; label: string }[] = []
    const made = await setUp({ now: () => now, known })
    await made.say("it is plain-words-only")
    const frozen = await create(made, { mode: "frozen" })
    const live = await create(made)
    await made.say("later words")
    for (const id of [frozen, live]) expect(await everything(made, id)).toContain("it is plain-words-only")
    const { seq } = await made.shares.copy.tree(frozen)
    known.push({ value: "plain-words-only", label: "value of DB_PASSWORD" })
    now += 60_000
    const left = new AbortController()
    const reader = eachEvent(made.shares.copy.follow(frozen, seq, left.signal))[Symbol.asyncIterator]()
    const told = reader.next()
    for (const id of [frozen, live]) {
      const all = await everything(made, id)
      expect(all).toContain("it is [redacted: value of DB_PASSWORD]")
      expect(all).not.toContain("plain-words-only")
      expect(all.includes("later words")).toBe(id === live)
    }
    expect((await told).value?.json).toContain("it is [redacted: value of DB_PASSWORD]")
    left.abort()
    const [, listed] = await made.shares.list()
    expect(listed).toMatchObject({ id: frozen, hidden: { "value of DB_PASSWORD": 1 } })
  })

  it("keeps a once known value hidden after other processes rewrite it", async () => {
    const known = [{ value: "plain-words-only", label: "value of DB_PASSWORD" }]
    const made = await setUp({ known })
    const [, part] = await made.say("it is plain-words-only")
    const id = await create(made)
    known.length = 0
    const later = { ...made, shares: made.open() }
    const expectHidden = async () => {
      const all = await everything(later, id)
      expect(all).toContain("it is [redacted: value of DB_PASSWORD]")
      expect(all).not.toContain("plain-words-only")
    }
    // One row is written again, another repeats the word, and then the whole copy is made again.
    await made.commit({ kind: "part", value: part })
    await made.say("again plain-words-only")
    await expectHidden()
    await later.shares.update(id, { title: "Another title" }, localCaller)
    await expectHidden()
    const { findings } = await later.shares.preview(made.session, { shareID: id })
    expect(findings.map(({ label }) => label)).toContain("value of DB_PASSWORD")
  })

  it("shows text in progress only up to a possible secret", async () => {
    const made = await setUp()
    const id = await create(made)
    const [, part] = await made.say("", {
      type: "text",
      text: `The key: ${secret.slice(0, 12)}`,
      time: { start: 1, end: null },
    })
    expect(await everything(made, id)).toContain('"text":"The key: "')
    await made.commit({
      kind: "part",
      value: { ...part, text: `The key: ${secret} is`, time: { start: 1, end: 2 } } as Part,
    })
    expect(await everything(made, id)).toContain(`The key: ${label} is`)
  })

  it("omits undone parts and shows them again after a redo", async () => {
    const made = await setUp()
    const id = await create(made)
    await made.say("first words")
    const [undone] = await made.say("second words")
    expect(await everything(made, id)).toContain("second words")
    const files = { state: "kept" as const, before: null, after: null, count: 0, paths: [], left: [], note: null }
    const revert = { messageID: undone.id, messages: 1, mark: "m", at: 1, children: [], files }
    await made.commit({ kind: "session.patch", sessionID: made.session.id, patch: { revert } })
    const without = await everything(made, id)
    expect(without).toContain("first words")
    expect(without).not.toContain("second words")
    await made.commit({ kind: "session.patch", sessionID: made.session.id, patch: { revert: null } })
    expect(await everything(made, id)).toContain("second words")
  })

  it("leaves children out with everything below them", async () => {
    const made = await setUp()
    const hidden = await made.child({ title: "Hidden child" })
    const below = await made.child({ title: "Hidden grandchild", parentID: hidden.id, depth: 2 })
    const shown = await made.child({ title: "Shown child" })
    await made.say("hidden words", {}, below)
    const id = await create(made, { left: [hidden.id] })
    await made.say("more hidden words", {}, hidden)
    expect((await made.shares.copy.tree(id)).sessions.map((it) => it.id)).toEqual([made.session.id, shown.id])
    await expect(made.shares.copy.messages(id, { sessionID: below.id })).rejects.toThrow("no share")
    expect(await everything(made, id)).not.toContain("hidden words")
  })

  it("shows that a child is left out, but nothing about it", async () => {
    const made = await setUp()
    const hidden = await made.child({ title: "Hidden child" })
    const shown = await made.child({ title: "Shown child" })
    const call = (sessionId: string, words: string): Partial<Part> => ({
      type: "tool",
      callID: "call_1",
      tool: "task",
      state: {
        status: "completed",
        input: { description: `title of ${words}`, prompt: `brief of ${words}` },
        output: `result of ${words}`,
        title: `title of ${words}`,
        metadata: { sessionId, description: `title of ${words}` },
        time: { start: 1, end: 2 },
      },
    })
    await made.say("", call(hidden.id, "hidden work"))
    await made.say("", call(shown.id, "shown work"))
    await made.say(`Task ${hidden.id} ended: hidden work`, { synthetic: true })
    const id = await create(made, { left: [hidden.id] })
    await made.say("", call(hidden.id, "later hidden work"))
    const pending = { status: "pending" as const, input: {}, raw: '{"prompt":"early hidden work' }
    await made.say("", { type: "tool", callID: "call_2", tool: "task", state: pending })
    const all = await everything(made, id)
    expect(all).toContain("result of shown work")
    expect(all).not.toContain("hidden work")
    const { locked, sessions } = await made.shares.copy.tree(id)
    expect(locked).toEqual([{ id: hidden.id, parentID: made.session.id }])
    expect(sessions.map((it) => it.id)).toEqual([made.session.id, shown.id])
    await made.shares.update(id, { left: [] }, localCaller)
    expect((await made.shares.copy.tree(id)).locked).toEqual([])
    expect(await everything(made, id)).toContain("result of hidden work")
  })

  it("finds a part in any session, except hidden ones", async () => {
    const made = await setUp()
    const child = await made.child()
    const hidden = await made.child()
    const [, deep] = await made.say("deep", {}, child)
    const [, secretPart] = await made.say("not shown", {}, hidden)
    const id = await create(made, { left: [hidden.id] })
    expect(await made.shares.copy.part(id, deep.id)).toMatchObject({ sessionID: child.id, part: { text: "deep" } })
    expect([
      await made.shares.copy.part(id, secretPart.id),
      await made.shares.copy.part(id, made.createID("part")),
    ]).toEqual([null, null])
  })

  it("stays as it was when it is frozen", async () => {
    const made = await setUp()
    await made.say("before")
    const id = await create(made, { mode: "frozen" })
    await made.say("afterwards")
    const all = await everything(made, id)
    expect(all).toContain("before")
    expect(all).not.toContain("afterwards")
  })

  it("shows reasoning and tool outputs only when the owner allows it", async () => {
    const made = await setUp()
    await made.say("", { type: "reasoning", text: "a thought", time: { start: 1, end: 2 } })
    const id = await create(made, { shows: { outputs: false, reasoning: false, files: false, pictures: false } })
    expect(await everything(made, id)).not.toContain("a thought")
    await made.shares.update(
      id,
      { shows: { outputs: true, reasoning: true, files: true, pictures: false } },
      localCaller,
    )
    expect(await everything(made, id)).toContain("a thought")
  })

  it("hides what its owner withdraws, also from a current reader", async () => {
    const made = await setUp()
    await made.say(`at first ${secret}`)
    const { key, findings } = await made.shares.preview(made.session)
    const digest = findings[0]?.digest ?? ""
    const digests = findings.map((finding) => finding.digest)
    const decisions = { digests: { [digest]: "accept" as const }, rules: {} }
    const id = await create(made, { reviewed: { key, digests }, decisions })
    const left = new AbortController()
    const stream = eachEvent(made.shares.copy.follow(id, undefined, left.signal))[Symbol.asyncIterator]()
    const first = stream.next()
    await made.shares.update(id, { decisions: { digests: {}, rules: {} } }, localCaller)
    await made.say(`the end ${secret}`)
    const texts: string[] = [(await first).value?.json ?? ""]
    while (!texts.at(-1)?.includes("the end")) texts.push((await stream.next()).value?.json ?? "")
    left.abort()
    expect(texts.join()).not.toContain(secret)
    expect(await everything(made, id)).not.toContain(secret)
  })

  it("is removed with its page when the link is revoked or expires", async () => {
    let now = 7
    const made = await setUp({ now: () => now })
    const revoked = await create(made)
    const { share, secret: link } = await made.shares.create(made.session, { expires: 10 }, localCaller)
    await made.shares.revoke(revoked, localCaller)
    expect(await made.store.shareCopy.changesSince(revoked, 0, 10)).toEqual([])
    await expect(made.shares.copy.tree(revoked)).rejects.toThrow("no share")
    expect(await made.shares.resolve(link, anyone)).toMatchObject({ id: share.id })
    now = 10
    expect(await made.shares.resolve(link, anyone)).toBeNull()
    await expect(made.shares.copy.tree(share.id)).rejects.toThrow("no share")
  })

  it("of an older version's share is built and redacted on first request", async () => {
    const made = await setUp()
    await made.say(`old ${secret}`)
    const { share } = await made.shares.create(made.session, {}, localCaller)
    const row = await made.store.share.get(share.id)
    await made.store.shareCopy.remove(share.id)
    if (row) await made.store.share.put({ ...row, digestKey: null })
    const all = await everything({ ...made, shares: made.open() }, share.id)
    expect(all).toContain(`old ${label}`)
    expect(all).not.toContain(secret)
  })

  it("stays correct with two writing runtimes and after an interrupted write", async () => {
    const made = await setUp()
    const id = await create(made)
    const [one, two] = [made.open(), made.open()]
    for (let count = 0; count < 10; count++) {
      await made.say(`words ${count} ${secret}`)
      await Promise.all([one.copy.tree(id), two.copy.tree(id)])
    }
    const rows = await made.store.shareCopy.changesSince(id, 0, 1_000)
    expect(new Set(rows.map(({ seq }) => seq)).size).toBe(rows.length)
    expect(rows.filter(({ kind }) => kind === "message")).toHaveLength(10)
    // The write that should follow was lost: the cursor shows where to continue.
    const copy = await made.store.shareCopy.get(id)
    await made.say("after the crash")
    expect(await made.store.shareCopy.get(id)).toEqual(copy)
    expect(await everything({ ...made, shares: made.open() }, id)).toContain("after the crash")
  })
})

describe("a reader of the stream of a share", () => {
  it("gets each row once, redacted, and missed rows after a reconnect", async () => {
    const made = await setUp()
    const id = await create(made)
    const { seq } = await made.shares.copy.tree(id)
    const left = new AbortController()
    const stream = eachEvent(made.shares.copy.follow(id, seq, left.signal))[Symbol.asyncIterator]()
    const next = stream.next()
    await made.say(`live ${secret}`)
    const texts: string[] = []
    texts.push((await next).value?.json ?? "")
    while (!texts.some((text) => text.includes("live"))) texts.push((await stream.next()).value?.json ?? "")
    expect(texts.join()).toContain(`live ${label}`)
    expect(texts.join()).not.toContain(secret)
    for (const text of texts) expect(JSON.parse(text)).toMatchObject({ rootID: made.session.id })
    left.abort()
    const again = new AbortController()
    const replay: number[] = []
    for await (const event of eachEvent(made.shares.copy.follow(id, seq, again.signal))) {
      replay.push(event.seq)
      if (replay.length === texts.length) again.abort()
    }
    expect(replay).toEqual(Array.from(texts, (_, index) => seq + index + 1))
  })

  it("costs no scan and no serialisation of its own", async () => {
    const made = await setUp()
    const id = await create(made)
    const left = new AbortController()
    const readers = Array.from({ length: 20 }, async () => {
      for await (const event of eachEvent(made.shares.copy.follow(id, undefined, left.signal)))
        if (event.json.includes("for all")) return event.json
      return null
    })
    await made.shares.copy.tree(id)
    let writes = 0
    const { publish } = made.store.shareCopy
    made.store.shareCopy.publish = (...args) => {
      writes += 1
      return publish(...args)
    }
    await made.say("for all")
    const seen = await Promise.all(readers)
    left.abort()
    expect(new Set(seen).size).toBe(1)
    expect(writes).toBeLessThanOrEqual(2)
  })
})

describe("a preview", () => {
  it("groups findings by secret with their places, without showing secrets", async () => {
    const made = await setUp()
    const [message, part] = await made.say(`first ${secret}, in /home/alice/x`)
    await made.say(`second ${secret}`)
    const { findings, sessions } = await made.shares.preview(made.session)
    expect(JSON.stringify(findings)).not.toContain(secret)
    const [first] = findings
    expect(first).toMatchObject({ label: "AWS access key", severity: "secret", count: 3 })
    expect(first?.places[1]).toEqual({
      sessionID: made.session.id,
      messageID: message.id,
      partID: part.id,
      excerpt: `first ${label}, in`,
    })
    expect(findings.map(({ rule }) => rule)).toContain("home-path")
    expect(sessions).toMatchObject([{ id: made.session.id, parts: 2 }])
  })

  it("applies its decisions; a share with later findings is refused", async () => {
    const made = await setUp()
    await made.say(`first ${secret}`)
    const { key, findings } = await made.shares.preview(made.session)
    const digests = findings.map(({ digest }) => digest)
    const other = `AKIA${"R7XZ".repeat(4)}`
    const accepted = { digests: { [findings[0]?.digest ?? ""]: "accept" as const }, rules: {} }
    const id = await create(made, { reviewed: { key, digests }, decisions: accepted })
    expect(await everything(made, id)).toContain(`first ${secret}`)
    await made.say(`then ${other}`)
    await expect(create(made, { reviewed: { key, digests } })).rejects.toMatchObject({ code: "share_changed" })
    expect(await everything(made, id)).not.toContain(other)
  })

  it("keeps the digests of findings under an earlier key or share", async () => {
    const made = await setUp()
    await made.say(`first ${secret}`)
    const { key, findings } = await made.shares.preview(made.session)
    const names = (of: typeof findings) => of.map(({ digest }) => digest).sort()
    expect(names((await made.shares.preview(made.session, { key })).findings)).toEqual(names(findings))
    expect(names((await made.shares.preview(made.session)).findings)).not.toEqual(names(findings))
    const shareID = await create(made, { reviewed: { key, digests: names(findings) } })
    const again = await made.shares.preview(made.session, { shareID })
    expect([again.key, names(again.findings)]).toEqual(["", names(findings)])
    const other = { ...made.session, id: made.createID("session"), rootID: made.createID("session") }
    await expect(made.shares.preview(other, { shareID })).rejects.toThrow("no share")
  })

  it("lets a part with a secret be left out as a whole", async () => {
    const made = await setUp()
    await made.say(`nobody reads this ${secret}`)
    const rules = { "aws-access-key": "omit" as const }
    const id = await create(made, { decisions: { digests: {}, rules } })
    const { items } = await made.shares.copy.messages(id, { sessionID: made.session.id })
    expect(items.map(({ parts }) => parts.length)).toEqual([0])
  })
})

it("a list of shares shows their statistics but not their keys", async () => {
  const made = await setUp()
  await made.say(`first ${secret}`)
  const id = await create(made, { title: "For the team" })
  await made.shares.copy.visit(id)
  const [share] = await made.shares.list()
  const facts = { title: "For the team", sessionTitle: made.session.title, views: 1, viewed: 7 }
  expect(share).toMatchObject({ id, ...facts, hidden: { "AWS access key": 1 } })
  expect(share).not.toHaveProperty("digestKey")
})

it("nothing is shared where the configuration turns it off", async () => {
  const made = await setUp({ mayShare: false })
  await expect(create(made)).rejects.toMatchObject({ code: "share_disabled" })
  expect(await made.store.share.list()).toEqual([])
})
