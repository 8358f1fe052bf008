import { afterAll, beforeAll, expect, it } from "vitest"
import { z } from "zod"
import { startTeamService, type TeamBrowser, type TeamService } from "./test/start-team-service.ts"
import { callProcedure, joinTeam } from "./test/team-calls.ts"

const Made = z.object({ id: z.string() })
const MadeKey = Made.extend({ key: z.string() })
const most = { perCredential: 3, perPerson: 5 }
const feed = "/api/trpc/event.subscribe?input=%7B%7D"

let service: TeamService
let owner: TeamBrowser
let sessionID: string

beforeAll(async () => {
  service = await startTeamService({ limits: { streams: most } })
  owner = await service.owner()
  const [project] = z.array(Made).parse((await callProcedure(owner, "project.list")).data)
  const made = await callProcedure(owner, "session.create", { projectID: project?.id, title: "Shared work" })
  sessionID = Made.parse(made.data).id
})
afterAll(() => service.remove())

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const follow = (token: string) => service.browser().get(`/v1/sessions/${sessionID}/review-events`, bearer(token))

async function keyOf(browser: TeamBrowser, name = "watcher") {
  return MadeKey.parse((await callProcedure(browser, "team.createKey", { name, role: "viewer" })).data)
}

/** Resolves with the stream's text when the stream has ended. */
async function ended(stream: Response): Promise<string> {
  expect(stream.status).toBe(200)
  let text = ""
  try {
    for await (const chunk of stream.body ?? []) text += Buffer.from(chunk).toString()
  } catch {
    // The connection was closed.
  }
  return text
}

it("a program's review stream ends with its key or its maker's membership", async () => {
  const kim = await joinTeam(service, owner, "Kim", "admin")
  const [first, second] = [await keyOf(kim.browser), await keyOf(kim.browser)]
  const streams = [await follow(first.key), await follow(second.key)]
  const [ofRevoked, ofRemoved] = streams.map(ended)
  await callProcedure(kim.browser, "team.revokeKey", { key: first.id })
  await ofRevoked
  expect((await callProcedure(owner, "team.remove", { person: kim.person })).status).toBe(200)
  await ofRemoved
})

it("a program's review stream ends with its token, despite a cookie", async () => {
  const made = await service.browser().post("/api/tokens", { tenant: "local", name: "robot" }, bearer(service.token))
  const { token, id } = Made.extend({ token: z.string() }).parse(await made.json())
  const headers = { ...bearer(token), cookie: owner.cookie() }
  const stream = ended(await service.browser().get(`/v1/sessions/${sessionID}/review-events`, headers))
  await service.browser().post("/api/tokens/revoke", { id }, bearer(service.token))
  await stream
})

it("a removed person loses open streams of workspace links", async () => {
  const lou = await joinTeam(service, owner, "Lou", "member")
  const { data } = await callProcedure(owner, "share.create", { rootID: sessionID, audience: "workspace" })
  const secret = z.object({ url: z.string() }).parse(data).url.split("/").at(-1)
  const stream = ended(await lou.browser.get(`/api/share/${secret}/events`))
  const others = await owner.get(`/api/share/${secret}/events`)
  expect((await callProcedure(owner, "team.remove", { person: lou.person })).status).toBe(200)
  expect(await stream).toContain("event: revoked")
  const reader = others.body?.getReader()
  expect((await reader?.read())?.done).toBe(false)
  await reader?.cancel()
})

it("open streams are limited per sign-in, key and person", async () => {
  const max = await joinTeam(service, owner, "Max", "admin")
  const [key, other] = [await keyOf(max.browser), await keyOf(max.browser)]
  const open = async (count: number, one: () => Promise<Response>) => {
    const answers: Response[] = []
    for (let n = 0; n < count; n += 1) answers.push(await one())
    return answers
  }
  const statusOf = (answers: Response[]) => answers.map(({ status }) => status)
  // Different spellings of the feed's address, which different handlers answer.
  const written = [feed, `${feed}&connectionParams=%7B%7D`, "/api/trpc/event%2Esubscribe?input=%7B%7D", feed]
  const bySignIn = await open(4, () => max.browser.get(written.shift() ?? feed, { accept: "text/event-stream" }))
  expect(statusOf(bySignIn)).toEqual([200, 200, 200, 429])
  expect(Number(bySignIn.at(-1)?.headers.get("retry-after"))).toBeGreaterThan(0)
  const byKey = await open(3, () => follow(key.key))
  expect(statusOf(byKey)).toEqual([200, 200, 429])
  expect(await byKey.at(-1)?.json()).toMatchObject({ reason: "stream_limit" })
  expect((await follow(other.key)).status).toBe(429)
  // Other users have their own limits.
  const [mine] = await open(1, () => owner.get(feed, { accept: "text/event-stream" }))
  expect(mine?.status).toBe(200)
  await Promise.all(
    [...bySignIn, ...byKey, mine].map((answer) => (answer?.bodyUsed ? undefined : answer?.body?.cancel())),
  )
  await expect
    .poll(async () => {
      const answer = await follow(other.key)
      await answer.body?.cancel()
      return answer.status
    })
    .toBe(200)
})
