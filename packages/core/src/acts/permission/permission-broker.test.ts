import { expect, test } from "vitest"
import { createIdSource } from "../../ground/id/create-id.ts"
import type { PermissionRequest, Session, StandingGrant } from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"
import { newSession } from "../../test/entities.ts"
import { PermissionDeniedError } from "./error.ts"
import { listGrants, revokeGrant } from "./listed-grants.ts"
import { by, twoBrokers } from "./test/two-brokers.ts"

test("a rejection also ends requests that are still being stored", async () => {
  const held = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const { store, one, ask, pending } = await twoBrokers({
    one: ({ write }) => ({
      write: {
        ...write,
        async commit(batches) {
          if (JSON.stringify(batches).includes("echo two")) {
            begun.resolve()
            await held.promise
          }
          return write.commit(batches)
        },
      },
    }),
  })
  const first = ask("echo one")
  const [request] = await pending(1)
  const second = ask("echo two")
  await begun.promise
  const replied = one.reply(request?.id ?? "", { reply: "reject", by })
  await expect(first).rejects.toThrow()
  held.resolve()
  expect((await replied).status).toBe("rejected")
  await expect(second).rejects.toThrow()
  expect(await store.permission.pending()).toEqual([])
})

test("a lasting answer after another answer grants nothing", async () => {
  // Runs between the moment when `other` reads the request and its answer.
  let late = async () => {}
  const { store, one, other, ask, pending } = await twoBrokers({
    other: ({ permission }) => ({
      permission: {
        ...permission,
        async get(id) {
          const row = await permission.get(id)
          await late()
          return row
        },
      },
    }),
  })
  const asked = ask("echo one")
  const [request] = await pending(1)
  const id = request?.id ?? ""
  late = async () => {
    late = async () => {}
    await one.reply(id, { reply: "reject", by })
  }
  await expect(other.reply(id, { reply: "always", by })).rejects.toMatchObject({
    code: "permission_request_answered",
    message: "This was rejected by you elsewhere before your answer came. Your answer changed nothing.",
  })
  await expect(asked).rejects.toThrow()
  expect(await store.permission.grants(request?.rootID ?? "")).toEqual([])
})

test("an answer of another runtime wins over one being stored", async () => {
  let meanwhile = async () => {}
  const { store, one, other, ask, pending } = await twoBrokers({
    one: ({ write }) => ({
      write: {
        ...write,
        async closePermission(...given) {
          await meanwhile()
          return write.closePermission(...given)
        },
      },
    }),
  })
  const asked = ask("echo one")
  const [request] = await pending(1)
  const id = request?.id ?? ""
  meanwhile = async () => {
    await other.reply(id, { reply: "always", by })
    const row = await store.permission.get(id)
    if (row !== null) await one.notified(row)
  }
  await expect(one.reply(id, { reply: "once", by })).rejects.toMatchObject({ code: "permission_request_answered" })
  await asked
})

test.each(["once", "always"] as const)("a repeated call takes the answer that is being stored: %s", async (reply) => {
  const gate = Promise.withResolvers<void>()
  const looked = Promise.withResolvers<void>()
  let looks = 0
  const { other, ask, pending, root } = await twoBrokers({
    other: ({ write, permission }) => ({
      write: {
        ...write,
        async closePermission(...given) {
          await gate.promise
          return write.closePermission(...given)
        },
      },
      permission: {
        ...permission,
        addGrants: () => Promise.reject(new Error("The disk is full.")),
        async get(id) {
          const row = await permission.get(id)
          looks += 1
          if (looks === 2) looked.resolve()
          return row
        },
      },
    }),
  })
  ask("echo one")
  const [request] = await pending(1)
  if (request === undefined) throw new Error("no request")
  // In the next process the answer comes before the call is made again.
  other.keep([request])
  const replied = other.reply(request.id, { reply, by })
  replied.catch(() => {})
  await expect.poll(() => looks).toBe(1)
  const { permission, patterns, always, metadata, messageID } = request
  const again = other.ask({
    session: root,
    rules: [{ permission: "*", pattern: "*", action: "ask" }],
    ceilings: [],
    messageID: messageID ?? "",
    callID: "echo one",
    signal: new AbortController().signal,
    request: { permission, patterns, always, metadata },
  })
  await looked.promise
  gate.resolve()
  expect((await again)?.status).toBe(reply)
  // The grants of "always" are not stored; the call continues nevertheless.
  if (reply === "always") await expect(replied).rejects.toThrow("only this once")
  else expect((await replied).status).toBe(reply)
})

test("another runtime's lasting answer lets waiting calls through before its grants exist", async () => {
  const { one, ask, pending } = await twoBrokers()
  const asked = [ask("echo one"), ask("echo two")]
  const [request] = await pending(2)
  if (request === undefined) throw new Error("no request")
  await one.notified({ ...request, status: "always" })
  await Promise.all(asked)
})

test("another runtime's grant lets a waiting call go on once", async () => {
  const { store, one, ask, pending, root } = await twoBrokers()
  const asked = ask("echo one")
  const [request] = await pending(1)
  const elsewhere = { ...(request as PermissionRequest), id: createIdSource()("permission"), status: "always" } as const
  // That request waited elsewhere, and nothing is granted yet.
  await one.notified(elsewhere)
  await pending(1)
  const grant = { id: createIdSource()("grant"), rootID: root.id, permission: "bash", pattern: "echo *", createdAt: 1 }
  await store.permission.addGrants([grant])
  await one.notified(elsewhere)
  await asked
  expect(await store.permission.get(request?.id ?? "")).toMatchObject({ status: "once" })
  await store.permission.removeGrant(grant.id)
  const later = ask("echo later", "ask", { asks: await otherTree(store, root.projectID) })
  await pending(1)
  await one.lookAgain()
  await pending(1)
  const standing: StandingGrant = {
    id: createIdSource()("grant"),
    projectID: root.projectID,
    permission: "bash",
    patterns: ["echo *"],
    origin: { requestID: elsewhere.id, rootID: root.id, sessionID: root.id, title: "", agent: "build" },
    time: { created: 1 },
  }
  await store.standingGrant.put(standing)
  await one.lookAgain()
  await later
})

test("grants are read only for what the rules leave open", async () => {
  let reads = 0
  const { ask, one, pending } = await twoBrokers({
    one: ({ permission }) => ({
      permission: {
        ...permission,
        grants(rootID) {
          reads += 1
          return permission.grants(rootID)
        },
      },
    }),
  })
  await ask("echo one", "allow")
  await expect(ask("echo one", "deny")).rejects.toThrow(PermissionDeniedError)
  expect(reads).toBe(0)
  const asked = ask("echo one")
  const [request] = await pending(1)
  expect(reads).toBe(1)
  await one.reply(request?.id ?? "", { reply: "always", by })
  await asked
  await ask("echo two")
})

test("a grant for a task covers it and its children alone", async () => {
  const { store, one, ask, pending, root, child, grandchild } = await twoBrokers()
  const ofTask = ask("echo one", "ask", { asks: child })
  const [request] = await pending(1)
  const waiting = ask("echo two", "ask", { asks: grandchild })
  const ofRoot = ask("echo three", "ask", { asks: root })
  await pending(3)
  const closed = await one.reply(request?.id ?? "", { reply: "always", remember: { within: "task" }, by })
  await Promise.all([ofTask, waiting])
  await ask("echo later", "ask", { asks: grandchild })
  expect(closed.remembered).toEqual({ patterns: ["echo *"], sessionID: child.id })
  expect(await store.permission.grants(root.id)).toMatchObject([{ sessionID: child.id, pattern: "echo *" }])
  const [left] = await pending(1)
  expect(left?.sessionID).toBe(root.id)
  await one.reply(left?.id ?? "", { reply: "once", by })
  await ofRoot
})

test("another runtime's answer for a task covers only the task", async () => {
  const { one, other, ask, pending, root, child } = await twoBrokers()
  const ofTask = ask("echo one", "ask", { asks: child })
  const [request] = await pending(1)
  void ask("echo two", "ask", { asks: root })
  await pending(2)
  await one.notified(await other.reply(request?.id ?? "", { reply: "always", remember: { within: "task" }, by }))
  await ofTask
  expect((await pending(1)).map(({ sessionID }) => sessionID)).toEqual([root.id])
})

test('"always" remembers exactly the patterns that the person typed', async () => {
  const { store, one, ask, pending, root } = await twoBrokers()
  const asked = ask("echo one")
  const [request] = await pending(1)
  const remember = { patterns: [" echo one ", "printf *", "echo one"] }
  await one.reply(request?.id ?? "", { reply: "always", remember, by })
  await asked
  expect((await store.permission.grants(root.id)).map(({ permission, pattern }) => [permission, pattern])).toEqual([
    ["bash", "echo one"],
    ["bash", "printf *"],
  ])
  await ask("printf 1")
  void ask("echo two")
  expect(await pending(1)).toMatchObject([{ patterns: ["echo two"] }])
})

test.each([
  ["nothing", []],
  ["an empty pattern", ["echo *", "  "]],
  ["characters that nobody sees", ["echo \u202e*"]],
  ["a line break", ["echo\nrm *"]],
  ["too many patterns", Array.from({ length: 51 }, (_, index) => `echo ${index}`)],
  ["a pattern without end", ["e".repeat(2_001)]],
])("remembering %s is refused, and the request still waits", async (_, patterns) => {
  const { store, one, other, ask, pending, root } = await twoBrokers()
  const asked = ask("echo one")
  const [request] = await pending(1)
  const answer = { reply: "always", remember: { patterns }, by } as const
  await expect(one.reply(request?.id ?? "", answer)).rejects.toMatchObject({ code: "invalid_input" })
  await expect(other.reply(request?.id ?? "", answer)).rejects.toMatchObject({ code: "invalid_input" })
  expect(await store.permission.grants(root.id)).toEqual([])
  await one.reply((await pending(1))[0]?.id ?? "", { reply: "once", by })
  await asked
})

test("a request says why it is asked, with details looked up late", async () => {
  let looked = 0
  const metadata = async () => {
    looked += 1
    return { kind: "other" as const, title: "Say one" }
  }
  const { ask, pending } = await twoBrokers()
  await ask("echo one", "allow", { metadata })
  expect(looked).toBe(0)
  void ask("echo one", "ask", { metadata })
  const rule = { permission: "*", pattern: "*", action: "ask" }
  expect(await pending(1)).toMatchObject([
    { metadata: { title: "Say one" }, reasons: [{ why: "rule", patterns: ["echo one"], rule }] },
  ])
  expect(looked).toBe(1)
})

test("a rejection also ends requests whose details are still looked up", async () => {
  const held = Promise.withResolvers<{ kind: "other" }>()
  const { one, ask, pending } = await twoBrokers()
  const first = ask("echo one")
  const [request] = await pending(1)
  const looking = Promise.withResolvers<void>()
  const metadata = () => {
    looking.resolve()
    return held.promise
  }
  const second = ask("echo two", "ask", { metadata })
  await looking.promise
  await one.reply(request?.id ?? "", { reply: "reject", by })
  held.resolve({ kind: "other" })
  await expect(first).rejects.toThrow()
  await expect(second).rejects.toThrow()
  expect(await pending(0)).toEqual([])
})

/** A second tree, in this project. */
async function otherTree(store: Store, projectID: string): Promise<Session> {
  const tree = { ...newSession(createIdSource()), projectID }
  await store.write.commit([{ rootID: tree.id, mutations: [{ kind: "session", value: tree }] }])
  return tree
}

test('"always in this project" counts in later sessions of that project alone', async () => {
  const { store, one, ask, pending, root } = await twoBrokers()
  const asked = ask("echo one")
  const [request] = await pending(1)
  const closed = await one.reply(request?.id ?? "", { reply: "always", remember: { within: "project" }, by })
  await asked
  expect(closed.remembered).toEqual({ patterns: ["echo *"], sessionID: null, beyond: "project" })
  expect(await store.permission.grants(root.id)).toEqual([])
  expect(await store.standingGrant.of(root.projectID)).toMatchObject([
    {
      projectID: root.projectID,
      permission: "bash",
      patterns: ["echo *"],
      origin: { requestID: request?.id, rootID: root.id, sessionID: root.id, title: root.title, agent: root.agent },
      by,
    },
  ])
  await ask("echo later", "ask", { asks: await otherTree(store, root.projectID) })
  void ask("echo elsewhere", "ask", { asks: await otherTree(store, createIdSource()("project")) })
  expect(await pending(1)).toMatchObject([{ patterns: ["echo elsewhere"] }])
})

test('"always everywhere" releases waiting requests of any session', async () => {
  const { store, one, ask, pending } = await twoBrokers()
  const elsewhere = ask("echo elsewhere", "ask", { asks: await otherTree(store, createIdSource()("project")) })
  await pending(1)
  const asked = ask("echo one")
  const [, request] = await pending(2)
  await one.reply(request?.id ?? "", { reply: "always", remember: { within: "everywhere" }, by })
  await Promise.all([asked, elsewhere])
  expect(await pending(0)).toEqual([])
})

test("what a revoked grant allowed is asked again, also at another runtime", async () => {
  const { store, other, ask, pending, root } = await twoBrokers()
  const asked = ask("echo one")
  const [request] = await pending(1)
  await other.reply(request?.id ?? "", { reply: "always", remember: { within: "project" }, by })
  const [grant] = (await listGrants(store)).grants
  expect(grant).toMatchObject({
    scope: "project",
    patterns: ["echo *"],
    origin: { sessionID: root.id, agent: root.agent },
  })
  void asked
  await revokeGrant(store, grant?.id ?? "")
  await expect(revokeGrant(store, grant?.id ?? "")).rejects.toMatchObject({ code: "grant_not_found" })
  void ask("echo two", "ask", { asks: await otherTree(store, root.projectID) })
  expect((await pending(1)).map(({ patterns }) => patterns)).toEqual([["echo two"]])
})

test("a lasting answer that cannot be stored applies only once", async () => {
  const { one, ask, pending } = await twoBrokers({
    one: ({ permission }) => ({
      permission: { ...permission, addGrants: () => Promise.reject(new Error("The disk is full.")) },
    }),
  })
  const asked = ask("echo one")
  const [request] = await pending(1)
  await expect(one.reply(request?.id ?? "", { reply: "always", by })).rejects.toMatchObject({
    code: "store_unavailable",
    message: expect.stringMatching(/goes on, but only this once.*The disk is full/),
  })
  await asked
  void ask("echo two")
  await pending(1)
})

test("a task's grants can be revoked too", async () => {
  const { store, one, ask, pending, root, child } = await twoBrokers()
  const asked = ask("echo one", "ask", { asks: child })
  const [request] = await pending(1)
  await one.reply(request?.id ?? "", { reply: "always", remember: { within: "task" }, by })
  await asked
  const { grants } = await listGrants(store)
  expect(grants).toMatchObject([
    { scope: "task", by, origin: { sessionID: child.id, title: root.title, requestID: request?.id } },
  ])
  await revokeGrant(store, grants[0]?.id ?? "")
  void ask("echo two", "ask", { asks: child })
  await pending(1)
})

test("a project's grant outlives its session and says so", async () => {
  const { store, one, ask, pending, root } = await twoBrokers()
  const asked = ask("echo one")
  const [request] = await pending(1)
  await one.reply(request?.id ?? "", { reply: "always", remember: { within: "project" }, by })
  await asked
  await store.write.commit([{ rootID: root.id, mutations: [{ kind: "session.remove", sessionID: root.id }] }])
  expect((await listGrants(store)).grants).toMatchObject([
    { scope: "project", origin: { sessionID: null, title: root.title } },
  ])
})

test.each([
  ["a command outside the sandbox", "sandbox", "make", "everywhere", "project by project"],
  ["the same call again", "doom_loop", "bash", "project", "in which it repeats"],
  ["an edit of Docket's configuration", "edit", ".docket/agents/a.md", "project", "session by session"],
] as const)("%s cannot be allowed too widely, and the answer says why", async (_, permission, pattern, within, why) => {
  const { one, ask, pending } = await twoBrokers()
  const asked = ask(pattern, "ask", { permission })
  const [request] = await pending(1)
  const answer = { reply: "always", remember: { within, patterns: [pattern] }, by } as const
  await expect(one.reply(request?.id ?? "", answer)).rejects.toThrow(why)
  await one.reply(request?.id ?? "", { ...answer, remember: { ...answer.remember, within: "tree" } })
  await asked
})
