import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { createBus } from "../../ground/event/bus.ts"
import { noFollower } from "../../ground/event/follow-trees.ts"
import { createJournal } from "../../ground/event/journal.ts"
import { noRelay } from "../../ground/event/relay.ts"
import { createIdSource } from "../../ground/id/create-id.ts"
import { homeOwner } from "../../ground/redact/index.ts"
import type { Message, Part } from "../../ground/schema/index.ts"
import { createInMemoryStore } from "../../ground/store/index.ts"
import { localCaller } from "../../test/as-local.ts"
import { newSession, newTextPart, newUserMessage } from "../../test/entities.ts"
import { createManualTime } from "../../test/manual-time.ts"
import { shareSecrets } from "./share-secrets.ts"
import { createShares } from "./shares.ts"
import { eachEvent } from "./test/each-event.ts"

const secret = `AKIA${"Q7XZ".repeat(4)}`

function projectDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "docket-env-"))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return directory
}

/** Shares of a session that works in a directory, with a clock that does not move. */
async function setUp() {
  const directory = projectDirectory()
  const time = createManualTime()
  const store = createInMemoryStore()
  const createID = createIdSource()
  const onError = (error: unknown) => {
    throw error
  }
  const bus = createBus(onError)
  const journal = createJournal({ store, bus })
  const shares = createShares({
    store,
    bus,
    createID,
    clock: time.clock,
    timers: time.timers,
    follower: noFollower,
    relay: noRelay,
    owner: homeOwner("/home/alice"),
    frameOf: async () => ({ author: null, embedSites: [] }),
    mayShare: async () => true,
    readFile: async () => null,
    secretsOf: async () => ({
      known: await shareSecrets({ env: {}, providerKeys: async () => [] }, [directory]),
      patterns: [],
    }),
    onError,
  })
  const session = newSession(createID, { directory })
  await journal.commit(session.id, [{ kind: "session", value: session }])
  const message = newUserMessage(createID, session.id)
  const part = (text: string): Part => newTextPart(createID, message, text)
  const call = (output: string): Part => ({
    id: createID("part"),
    sessionID: session.id,
    messageID: message.id,
    type: "tool",
    callID: "call_1",
    tool: "bash",
    state: {
      status: "completed",
      input: { command: "ls" },
      output,
      title: "ls",
      metadata: { output },
      time: { start: 1, end: 2 },
    },
  })
  const put = (...parts: Part[]) =>
    journal.commit(session.id, [
      { kind: "message", value: message as Message },
      ...parts.map((value) => ({ kind: "part" as const, value })),
    ])
  const shown = async (id: string) => {
    const [tree, page] = [await shares.copy.tree(id), await shares.copy.messages(id, { sessionID: session.id })]
    return JSON.stringify({ tree, page })
  }
  const create = async (choice = {}) => (await shares.create(session, choice, localCaller)).share.id
  return { directory, time, shares, session, part, call, put, shown, create }
}

describe("a key that is split by tool calls", () => {
  it.each([1, 2, 6])("is found across %i of them", async (count) => {
    const made = await setUp()
    const first = made.part(`the key is ${secret.slice(0, 10)}`)
    const calls = Array.from({ length: count }, () => made.call("a.txt\nb.txt"))
    await made.put(first, ...calls, made.part(`${secret.slice(10)} as I said`))
    const all = await made.shown(await made.create())
    expect(all).not.toContain(secret.slice(0, 10))
    expect(all).not.toContain(secret.slice(10))
    expect(all).toContain("as I said")
  })

  it("is also found in a share that follows the work", async () => {
    const made = await setUp()
    const id = await made.create()
    await made.put(made.part(`the key is ${secret.slice(0, 10)}`))
    await made.shown(id)
    for (let count = 0; count < 6; count++) {
      await made.put(made.call(`file ${count}`))
      await made.shown(id)
    }
    await made.put(made.part(`${secret.slice(10)} as I said`))
    const all = await made.shown(id)
    expect(all).not.toContain(secret.slice(0, 10))
    expect(all).not.toContain(secret.slice(10))
  })
})

describe("a value that a .env file names later", () => {
  it("is gone from a frozen share within ten seconds", async () => {
    const made = await setUp()
    await made.put(made.part("it is plain-words-only"))
    const id = await made.create({ mode: "frozen" })
    expect(await made.shown(id)).toContain("plain-words-only")
    writeFileSync(join(made.directory, ".env"), "GREETING=plain-words-only\n")
    await made.time.pass(10_000)
    expect(await made.shown(id)).not.toContain("plain-words-only")
  })

  it("is redacted within ten seconds for readers of a frozen share", async () => {
    const made = await setUp()
    await made.put(made.part("it is plain-words-only"))
    const id = await made.create({ mode: "frozen" })
    const { seq } = await made.shares.copy.tree(id)
    const left = new AbortController()
    const events = eachEvent(made.shares.copy.follow(id, seq, left.signal))[Symbol.asyncIterator]()
    const told = events.next()
    await made.time.pass(0)
    writeFileSync(join(made.directory, ".env"), "GREETING=plain-words-only\n")
    await made.time.pass(10_000)
    expect((await told).value?.json).toContain("it is [redacted: value of GREETING]")
    left.abort()
    await events.return?.(undefined)
  })
})

describe("secrets of a project", () => {
  it("are read from .env files of subdirectories, but not of installed packages", async () => {
    const directory = projectDirectory()
    for (const [place, value] of [
      ["", "value-of-root"],
      ["apps/web", "value-of-web"],
      ["node_modules/x", "value-of-package"],
    ] as const) {
      mkdirSync(join(directory, place), { recursive: true })
      writeFileSync(join(directory, place, ".env"), `NAME=${value}\n`)
    }
    const known = await shareSecrets({ env: {}, providerKeys: async () => [] }, [directory])
    expect(known.map(({ value }) => value).sort()).toEqual(["value-of-root", "value-of-web"])
  })
})

it("a live output that begins within a word is scanned as cut", async () => {
  const made = await setUp()
  const call = made.call("")
  // As long as the live output that a call keeps: its start may have been cut off.
  const output = `${secret.slice(8)} and ${"more words of it ".repeat(2_000)}`.slice(0, 30_000)
  if (call.type !== "tool" || call.state.status !== "completed") throw new Error("no call")
  await made.put({ ...call, state: { ...call.state, metadata: { output } } })
  const all = await made.shown(await made.create())
  expect(all).not.toContain(secret.slice(8))
  expect(all).toContain("more words of it")
})

describe("a secret that one part begins and the next one ends", () => {
  it.each([
    ["the password is", "hunterfox9x", "hunterfox9x"],
    ["The password for the server is:", "hunterfox9x\n\nTry it.", "hunterfox9x"],
    ["the password is:\n", "```\nhunterfox9x\n```\nand more", "hunterfox9x"],
    ["**Password:**", "`hunterfox9x` is what it says", "hunterfox9x"],
    ["export DB_PASSWORD=hunter", "fox9xyzabc and more", "fox9xyzabc"],
    ["DB_PASSWORD=hunter2", "fox and more", "hunter2"],
    [
      `\`\`\`\nthe key is ${secret.slice(0, 10)}\n\`\`\``,
      `\`\`\`\n${secret.slice(10)}\n\`\`\`\nas I said`,
      secret.slice(10),
    ],
    [
      `~~~sh\nexport KEY=${secret.slice(0, 10)}\n~~~\n`,
      `\n~~~sh\n${secret.slice(10)}\n~~~\nas I said`,
      secret.slice(0, 10),
    ],
  ])("is hidden in both: %j and %j", async (first, second, piece) => {
    const made = await setUp()
    await made.put(made.part(first), made.call("a.txt"), made.part(second))
    const all = await made.shown(await made.create())
    expect(all).not.toContain(piece)
    expect(all).toContain("[redacted: ")
  })

  it.each([
    ["the password is", "stored in the keychain, with version v20.11.1"],
    ["the password is", "see src/auth2/password1.ts"],
    ["What is the token?", "node24 is what runs here"],
    ["it has a password", "utf8mb4 is the charset"],
    ["PORT=80", "80abc1 is open"],
    ["```\npassword: required\n```", "```\nname4you: x\n```"],
  ])("is not seen in parts that hold none: %j and %j", async (first, second) => {
    const made = await setUp()
    await made.put(made.part(first), made.part(second))
    expect(await made.shown(await made.create())).not.toContain("[redacted: ")
  })
})
