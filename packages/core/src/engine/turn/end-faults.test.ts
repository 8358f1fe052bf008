import { expect, test } from "vitest"
import { DocketError } from "../../ground/error/docket-error.ts"
import type { Mutation } from "../../ground/store/index.ts"
import {
  answer,
  lastUserText,
  type Script,
  type ScriptedRuntime,
  scriptedRuntime,
} from "../../test/scripted-runtime.ts"

const full = () => new DocketError("store_unavailable", "The disk is full.")

/** Makes the store reject all writes, or those that match, until the returned function is called. */
function blockWrites({ store }: ScriptedRuntime, isRefused?: (mutations: Mutation[]) => boolean): () => void {
  const { commit, claimTurn } = store.write
  store.write.commit = async (batches) => {
    if (isRefused?.(batches.flatMap((batch) => batch.mutations)) ?? true) throw full()
    return commit(batches)
  }
  if (isRefused === undefined) store.write.claimTurn = () => Promise.reject(full())
  return () => Object.assign(store.write, { commit, claimTurn })
}

const isEnd = (mutations: Mutation[]) =>
  mutations.some((mutation) => mutation.kind === "turn" && mutation.value.time.ended !== null)

/** A model that never answers; its request ends when the turn is stopped. */
function hangingModel() {
  const asked = Promise.withResolvers<void>()
  const stopped = Promise.withResolvers<void>()
  const script: Script = ({ abortSignal }) => {
    asked.resolve()
    return new Promise((_, reject) =>
      abortSignal?.addEventListener("abort", () => {
        stopped.resolve()
        reject(abortSignal.reason)
      }),
    )
  }
  return { script, asked: asked.promise, stopped: stopped.promise }
}

const texts = async (host: ScriptedRuntime) =>
  (await host.messages()).items.flatMap(({ info, parts }) => [
    ...parts.flatMap((part) => (part.type === "text" ? [`${info.role}: ${part.text}`] : [])),
    ...(info.role === "assistant" && info.error ? [`error: ${info.error.message}`] : []),
  ])

const submit = (host: ScriptedRuntime, text: string) =>
  host.runtime.prompt.submit(host.session.id, { parts: [{ type: "text", text }] })

const isIdle = async (host: ScriptedRuntime) => {
  const { turns, sessions } = await host.runtime.session.tree(host.session.id)
  return turns.length === 0 && sessions.every((session) => session.status.type === "idle")
}

test("an end that cannot be stored is reported once, then stored later", async () => {
  await using host = await scriptedRuntime((options) => answer(`You said ${lastUserText(options)}.`))
  const unblock = blockWrites(host, isEnd)
  const first = host.prompt("one")
  const second = host.prompt("two")
  const storing = () =>
    host.events.filter((event) => event.type === "session.status" && event.properties.status.type === "storing")
  await expect.poll(() => storing().length).toBeGreaterThan(2)
  expect(storing()[0]).toMatchObject({ properties: { status: { message: "The disk is full." } } })
  expect(await isIdle(host)).toBe(false)
  unblock()
  expect((await first).status).toBe("completed")
  expect((await second).status).toBe("completed")
  expect(await isIdle(host)).toBe(true)
  expect(host.errors.map(String)).toEqual([
    "Error: The end of some work could not be stored. It is tried again until it is. The disk is full.",
  ])
  expect(await texts(host)).toEqual(["user: one", "assistant: You said one.", "user: two", "assistant: You said two."])
})

test("a full disk fails the current turn; queued turns run in order", async () => {
  const gate = Promise.withResolvers<void>()
  await using host = await scriptedRuntime(async (options) => {
    if (lastUserText(options) === "one") await gate.promise
    return answer(`You said ${lastUserText(options)}.`)
  })
  const queued = await Promise.all(["one", "two", "three"].map((text) => submit(host, text)))
  const turns = queued.map(({ id }) => host.runtime.prompt.wait(id))
  await host.until((event) => event.type === "message.updated" && event.properties.info.role === "assistant")
  // All turns wait at the same time.
  const unblock = blockWrites(host)
  gate.resolve()
  await host.until((event) => event.type === "session.status" && event.properties.status.type === "storing")
  unblock()
  const ended = await Promise.all(turns)
  expect(ended.map((turn) => turn.status)).toEqual(["failed", "completed", "completed"])
  expect(ended[0]?.error?.message).toBe("The disk is full.")
  expect(await isIdle(host)).toBe(true)
  expect(await texts(host)).toEqual([
    "user: one",
    "error: The disk is full.",
    "user: two",
    "assistant: You said two.",
    "user: three",
    "assistant: You said three.",
  ])
})

test("a prompt stays in the transcript even if its turn stored nothing", async () => {
  await using host = await scriptedRuntime(() => answer("Never asked."))
  const { claimTurn } = host.store.write
  let unblock = () => {}
  host.store.write.claimTurn = async (...claim) => {
    const claimed = await claimTurn(...claim)
    unblock = blockWrites(host)
    return claimed
  }
  const turn = host.prompt("Remember me")
  await host.until((event) => event.type === "session.status" && event.properties.status.type === "storing")
  unblock()
  host.store.write.claimTurn = claimTurn
  expect(await turn).toMatchObject({ status: "failed" })
  expect(await texts(host)).toEqual(["user: Remember me", "error: The disk is full."])
})

test("Stop works at once without storage, reports it, and is stored later", async () => {
  const { script, asked, stopped } = hangingModel()
  await using host = await scriptedRuntime((options) =>
    lastUserText(options) === "one" ? script(options) : answer("Good."),
  )
  const first = host.prompt("one")
  const behind = host.prompt("two")
  await asked
  const unblock = blockWrites(host)
  await expect(host.runtime.abort(host.session.id)).rejects.toMatchObject({
    code: "store_unavailable",
    message: expect.stringContaining("The disk is full."),
  })
  await stopped
  // A second abort while it waits gets the same answer.
  await expect(host.runtime.abort(host.session.id)).rejects.toMatchObject({ code: "store_unavailable" })
  unblock()
  expect((await first).status).toBe("aborted")
  expect((await behind).status).toBe("aborted")
  await expect.poll(() => isIdle(host)).toBe(true)
  expect((await host.prompt("three")).status).toBe("completed")
})

test("a turn whose stop was not stored does not resume after restart", async () => {
  const { script, asked } = hangingModel()
  const first = await scriptedRuntime(script)
  void first.prompt("one").catch(() => {})
  void first.prompt("two").catch(() => {})
  await asked
  const unblock = blockWrites(first)
  await expect(first.runtime.abort(first.session.id)).rejects.toMatchObject({ code: "store_unavailable" })
  // The process dies here: a second runtime opens the same rows.
  const { write, ...rest } = first.store
  const asks: string[] = []
  unblock()
  // The second runtime gets the working functions; the first, which is dead, can write no more.
  const kept = { ...write }
  blockWrites(first)
  const second = await scriptedRuntime(
    (options) => {
      asks.push(lastUserText(options))
      return answer("Good.")
    },
    { store: { ...rest, write: kept }, directory: first.directory },
  )
  await expect.poll(async () => (await second.runtime.session.tree(first.session.id)).turns).toEqual([])
  const turn = await second.runtime.prompt.submit(first.session.id, { parts: [{ type: "text", text: "three" }] })
  expect((await second.runtime.prompt.wait(turn.id)).status).toBe("completed")
  expect(asks).toEqual(["three"])
  await second[Symbol.asyncDispose]()
  await first[Symbol.asyncDispose]()
})

test("an abandoned permission request closes once the store works again", async () => {
  await using host = await scriptedRuntime(
    () => answer("", { tool: "bash", input: { command: "ls", description: "list" } }),
    { config: { permission: { bash: "ask" } } },
  )
  const turn = host.prompt("List")
  await host.until((event) => event.type === "permission.asked")
  const unblock = blockWrites(host)
  await expect(host.runtime.abort(host.session.id)).rejects.toMatchObject({ code: "store_unavailable" })
  expect(await host.runtime.permission.pending()).toHaveLength(1)
  unblock()
  await turn
  await expect.poll(() => host.runtime.permission.pending()).toEqual([])
})

test("Stop ends a stored turn that no process runs", async () => {
  await using host = await scriptedRuntime(() => answer("Good."))
  const { id: sessionID } = host.session
  const ended = await host.prompt("one")
  await host.store.write.commit([
    {
      rootID: sessionID,
      mutations: [
        { kind: "turn", value: { ...ended, status: "running", time: { ...ended.time, ended: null } } },
        { kind: "session.patch", sessionID, patch: { status: { type: "busy" } } },
      ],
    },
  ])
  const { items } = await host.messages()
  await expect(host.runtime.session.revert(sessionID, items[0]?.info.id ?? "")).rejects.toThrow("is working")
  await host.runtime.abort(sessionID)
  expect(await isIdle(host)).toBe(true)
  await host.runtime.session.revert(sessionID, items[0]?.info.id ?? "")
})

test("a commit with unknown outcome causes no hang, repeat or lost event", async () => {
  let asked = 0
  await using host = await scriptedRuntime((options) => {
    asked += 1
    return answer(`You said ${lastUserText(options)}.`)
  })
  const { commit, claimTurn } = host.store.write
  const broken = new Error("Connection terminated unexpectedly")
  let breaking = { claim: 1, end: 1 }
  host.store.write.claimTurn = async (...claim) => {
    const claimed = await claimTurn(...claim)
    if (breaking.claim-- > 0) throw broken
    return claimed
  }
  host.store.write.commit = async (batches) => {
    const changes = await commit(batches)
    if (isEnd(batches.flatMap((batch) => batch.mutations)) && breaking.end-- > 0) throw broken
    return changes
  }
  expect((await host.prompt("one")).status).toBe("completed")
  expect(await isIdle(host)).toBe(true)
  await host.until(
    (event) =>
      event.type === "session.updated" &&
      event.properties.info.status.type === "idle" &&
      event.seq !== null &&
      event.properties.info.time.updated > event.properties.info.time.created,
  )
  expect(await texts(host)).toEqual(["user: one", "assistant: You said one."])
  breaking = { claim: 0, end: 0 }
  expect((await host.prompt("two")).status).toBe("completed")
  expect(asked).toBe(2)
})

test("a refused prompt never runs later, even if it was stored", async () => {
  let asked = 0
  await using host = await scriptedRuntime(() => {
    asked += 1
    return answer("Good.")
  })
  const { commit } = host.store.write
  let broken = false
  host.store.write.commit = async (batches) => {
    const changes = await commit(batches)
    if (!broken && batches.some((batch) => batch.mutations.some((mutation) => mutation.kind === "turn"))) {
      broken = true
      throw new Error("Connection terminated unexpectedly")
    }
    return changes
  }
  await expect(host.prompt("one")).rejects.toThrow("Connection terminated")
  await expect.poll(() => isIdle(host)).toBe(true)
  expect((await host.prompt("two")).status).toBe("completed")
  expect(asked).toBe(1)
})
