import { mkdtemp, readFile, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { createIdSource, createProviders, createRuntime, createTenants, rehearsalLoader } from "@docket/core"
import { createInMemoryDatabase } from "@docket/core/store"
import { noPrograms } from "@docket/core/test/no-programs"
import { oneNode } from "@docket/core/test/one-node"
import { afterAll, beforeAll, expect, it } from "vitest"
import { z } from "zod"
import { type Service, startService } from "./start-service.ts"
import { inhabitTenant } from "./test/inhabit-tenant.ts"
import { onlyFirst } from "./test/only-first.ts"
import { parseAnswer } from "./test/parse-answer.ts"

const createID = createIdSource()
const Reviews = z.object({
  items: z.array(
    z.looseObject({
      task: z.looseObject({ id: z.string(), root_id: z.string(), session_id: z.string() }),
      title: z.string(),
    }),
  ),
  cursor: z.string().nullable(),
  next_cursor: z.string().nullable(),
})
const Thread = z.looseObject({
  thread: z.looseObject({ id: z.string(), task_id: z.string().nullable(), by: z.looseObject({ person: z.string() }) }),
  comments: z.array(z.looseObject({ id: z.string(), text: z.string() })),
})

let directory: string
let service: Service
/** Tokens: the service's own, of a program of the same tenant, and of one of a tenant that runs no agents. */
const tokens = { own: "", ada: "", globex: "" }
/** The person as whom the token `ada` acts. */
let adaPerson = ""

/** A service whose tenant has a tree with a task, by the rehearsal model. */
beforeAll(async () => {
  directory = await realpath(await mkdtemp(path.join(tmpdir(), "docket-reviews-")))
  const database = createInMemoryDatabase()
  await inhabitTenant({ database, directory }, { tenantID: "local", secret: "quetzalcoatl", from: 0 })
  service = await startService(
    { projects: [], port: 0, host: "127.0.0.1", data: path.join(directory, "data"), web: false, trust: false },
    {
      async openRuntime({ data, onError }) {
        const base = { createID, clock: Date.now, onError }
        const runtime = await createRuntime({
          programs: noPrograms,
          ...base,
          store: database.store("local"),
          providers: createProviders({ dataDirectory: data, env: {}, loadRehearsal: rehearsalLoader(0) }),
          random: () => 0,
          dataDirectory: data,
          home: directory,
          env: {},
          platform: process.platform,
          providerTimeoutMs: 60_000,
        })
        const tenants = createTenants({ ...base, database, local: { id: "local", runtime } })
        const made = await tenants.createToken({ tenantID: "local", name: "ada" })
        tokens.ada = made.token
        adaPerson = `token:${made.info.id}`
        tokens.globex = (await tenants.createToken({ tenantID: "globex", name: "ada" })).token
        return {
          runtime,
          nodes: oneNode(database),
          tenants,
          workspaces: onlyFirst(runtime),
          warmUp: async () => undefined,
        }
      },
      report: () => undefined,
      log: () => undefined,
    },
  )
  tokens.own = (await readFile(service.tokenFile, "utf8")).trim()
})
afterAll(async () => {
  await service.stop()
  await rm(directory, { recursive: true, force: true })
})

async function call(
  as: keyof typeof tokens,
  method: string,
  address: string,
  options: { body?: object; key?: string } = {},
) {
  const answer = await fetch(`${service.url}/v1${address}`, {
    method,
    headers: {
      authorization: `Bearer ${tokens[as]}`,
      ...(options.key !== undefined && { "idempotency-key": options.key }),
    },
    ...(options.body && { body: JSON.stringify(options.body) }),
  })
  const text = await answer.text()
  const isJson = answer.headers.get("content-type")?.startsWith("application/json") ?? false
  return { status: answer.status, body: isJson ? parseAnswer(text) : text }
}

/** A procedure with the service's own token. */
async function mutate(name: string, input: object) {
  const answer = await fetch(`${service.url}/api/trpc/${name}`, {
    method: "POST",
    headers: { authorization: `Bearer ${tokens.own}`, "content-type": "application/json" },
    body: JSON.stringify(input),
  })
  return { status: answer.status, body: JSON.parse(await answer.text()) }
}

async function partOfRoot(rootID: string): Promise<string> {
  const { items } = (await call("ada", "GET", `/sessions/${rootID}/messages?limit=1`)).body
  return items.at(-1).parts.at(-1).id
}

async function firstTask() {
  const [item] = Reviews.parse((await call("ada", "GET", "/reviews")).body).items
  if (item === undefined) throw new Error("there is no task")
  return item.task
}

it("a program reviews through the API as its token's person", async () => {
  const task = await firstTask()
  const tree = (await call("ada", "GET", `/sessions/${task.session_id}/tree`)).body
  expect(tree.sessions.map(({ id }: { id: string }) => id)).toContain(task.root_id)
  const { items } = (await call("ada", "GET", `/sessions/${task.session_id}/messages?limit=5`)).body
  const part = items.at(-1).parts.at(-1)
  const place = { kind: "part", message_id: part.message_id, part_id: part.id }
  const body = { place, text: "Why **this**?" }
  const said = await call("ada", "POST", `/sessions/${task.session_id}/threads`, { body, key: "k" })
  expect(said.status).toBe(201)
  const { thread } = Thread.parse(said.body)
  expect(thread).toMatchObject({ task_id: task.id, by: { person: adaPerson } })
  const again = await call("ada", "POST", `/sessions/${task.session_id}/threads`, { body, key: "k" })
  expect(Thread.parse(again.body).thread.id).toBe(thread.id)
  await call("own", "POST", `/threads/${thread.id}/comments`, { body: { text: "It was asked for." } })
  const { threads } = (await call("ada", "GET", `/sessions/${task.root_id}/threads`)).body
  const found = z
    .array(Thread)
    .parse(threads)
    .filter((view) => view.thread.id === thread.id)
  expect(found.map(({ comments }) => comments.map(({ text }) => text))).toEqual([
    ["Why **this**?", "It was asked for."],
  ])

  const given = await call("ada", "POST", `/tasks/${task.id}/verdicts`, {
    body: { verdict: "approve", reason: "fine" },
  })
  expect(given.body).toMatchObject({ verdict: "approve", by: { person: adaPerson } })
  const tasksToReview = async (as: "ada" | "own") =>
    Reviews.parse((await call(as, "GET", "/reviews")).body).items.map((item) => item.task.id)
  expect(await tasksToReview("ada")).not.toContain(task.id)
  expect((await call("ada", "DELETE", `/tasks/${task.id}/verdicts`)).status).toBe(200)
  expect(await tasksToReview("ada")).toContain(task.id)
  expect((await call("ada", "GET", `/tasks/${task.id}/verdicts`)).body.verdicts).not.toEqual([])
})

it("share links of all trees or of one are listed without secrets", async () => {
  const { root_id: rootID } = await firstTask()
  const { shares } = (await call("ada", "GET", `/shares?session=${rootID}`)).body
  expect(shares).toHaveLength(1)
  expect(shares[0]).toMatchObject({ root_id: rootID })
  expect(JSON.stringify(shares)).not.toMatch(/secret_?hash|digest_?key/i)
  expect((await call("ada", "GET", "/shares")).body.shares).toHaveLength(1)
})

it("review events arrive live, and missed ones after a reconnect", async () => {
  const task = await firstTask()
  const give = () => call("own", "POST", `/tasks/${task.id}/verdicts`, { body: { verdict: "needs_changes" } })
  const follow = (lastID?: string) =>
    fetch(`${service.url}/v1/sessions/${task.session_id}/review-events`, {
      headers: { authorization: `Bearer ${tokens.ada}`, ...(lastID !== undefined && { "last-event-id": lastID }) },
    })
  const first = await follow()
  await give()
  const [id, told] = await nextEvent(first)
  expect(told).toMatchObject({ type: "review.verdict.updated", properties: { verdict: { task_id: task.id } } })
  const { body: verdict } = await give()
  const [, missed] = await nextEvent(await follow(id))
  expect(missed).toMatchObject({ properties: { verdict: { id: verdict.id } } })
})

it("another tenant sees no reviews and cannot tell existing ids from unknown", async () => {
  const task = await firstTask()
  expect((await call("globex", "GET", "/reviews")).body).toEqual({ items: [], cursor: null, next_cursor: null })
  expect((await call("globex", "GET", "/shares")).body).toEqual({ shares: [] })
  const answers = async (sessionID: string, taskID: string) => [
    await call("globex", "GET", `/sessions/${sessionID}/tree`),
    await call("globex", "GET", `/sessions/${sessionID}/messages`),
    await call("globex", "GET", `/sessions/${sessionID}/threads`),
    await call("globex", "GET", `/sessions/${sessionID}/review-events`),
    await call("globex", "POST", `/tasks/${taskID}/verdicts`, { body: { verdict: "approve" } }),
  ]
  const toExisting = await answers(task.session_id, task.id)
  expect(toExisting).toEqual(await answers(createID("session"), createID("task")))
  expect(toExisting.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
})

it("invalid input is refused with the reason and changes nothing", async () => {
  const task = await firstTask()
  const refused = [
    await call("ada", "POST", `/tasks/${task.id}/verdicts`, { body: { verdict: "maybe" } }),
    await call("ada", "POST", `/sessions/${task.session_id}/threads`, {
      body: { place: { kind: "session" }, text: "" },
    }),
    await call("ada", "GET", `/sessions/${task.session_id}/messages?before=a&after=b`),
    await call("ada", "GET", "/sessions/nonsense/tree"),
  ]
  expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400])
  const missing = await call("ada", "POST", `/tasks/${createID("task")}/verdicts`, { body: { verdict: "approve" } })
  expect(missing).toMatchObject({ status: 404, body: { error: expect.stringContaining("There is no task") } })
})

it("both APIs refuse overlong comments, invalid places and second sendings with advice", async () => {
  const task = await firstTask()
  const { items } = (await call("ada", "GET", `/sessions/${task.session_id}/messages?limit=5`)).body
  const part = items
    .flatMap(({ parts }: { parts: { type: string }[] }) => parts)
    .findLast(({ type }: { type: string }) => type === "text")
  const range = { kind: "text", of: "text", from: 0, to: part.text.length + 1 }
  const outside = { ...range, messageID: part.message_id, partID: part.id }
  const long = "x".repeat(1_048_576)
  const session = { kind: "session" }
  const threads = `/sessions/${task.session_id}/threads`
  const refused = [
    await call("ada", "POST", threads, { body: { place: session, text: long } }),
    await call("ada", "POST", threads, {
      body: { place: { ...range, message_id: part.message_id, part_id: part.id }, text: "x" },
    }),
    await call("ada", "POST", `/tasks/${task.id}/verdicts`, { body: { verdict: "reject", reason: long } }),
    await mutate("review.thread.create", { sessionID: task.session_id, place: session, text: long }),
    await mutate("review.thread.create", { sessionID: task.session_id, place: outside, text: "x" }),
    await mutate("review.verdict.give", { taskID: task.id, verdict: "approve", seen: await partOfRoot(task.root_id) }),
    await mutate("review.thread.resolve", { threadID: createID("reviewThread") }),
  ]
  expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400, 404])
  const words = refused.map(({ body }) => JSON.stringify(body))
  for (const at of [0, 2]) expect(words[at]).toContain("to have <=20000 characters")
  expect(words[3]).toContain("Put the long part into a file and name it.")
  for (const at of [1, 4]) expect(words[at]).toMatch(/The range from 0 to \d+ is not within the \d+ characters/)
  expect(words[5]).toContain("Load it again.")
  expect(words[6]).toContain("There is no thread")

  const kept = await mutate("review.draft.save", { sessionID: task.session_id, place: session, text: "kept" })
  const { id } = z.object({ id: z.string() }).parse(kept.body.result.data)
  expect((await mutate("review.draft.save", { draftID: id, text: long })).status).toBe(400)
  const sending = { sessionID: task.root_id, to: "child", draftIDs: [id] }
  // As when somebody presses the button twice, or in two tabs.
  const twice = await Promise.all([mutate("review.send", sending), mutate("review.send", sending)])
  const [sent, ...others] = twice.toSorted((a, b) => a.status - b.status)
  expect(sent?.body.result.data).toMatchObject([{ text: "kept", sent: { to: "child" } }])
  expect(others.map(({ body }) => body.error.data.docketCode)).toEqual(["comment_sent"])
})

/** The first event of a stream that has data. Ends the stream. */
async function nextEvent(answer: Response): Promise<[id: string, data: unknown]> {
  expect(answer.status).toBe(200)
  let text = ""
  for await (const chunk of answer.body ?? []) {
    text += Buffer.from(chunk).toString()
    const [, id = "", data = ""] = /id: (\S+)\ndata: (.+)\n\n/.exec(text) ?? []
    if (data !== "") return [id, JSON.parse(data)]
  }
  throw new Error("the stream ended")
}
