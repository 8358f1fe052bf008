import { afterAll, beforeAll, expect, it } from "vitest"
import { startTeamService, type TeamBrowser, type TeamService } from "./test/start-team-service.ts"
import { callProcedure, joinTeam } from "./test/team-calls.ts"

let service: TeamService
let owner: TeamBrowser

beforeAll(async () => {
  service = await startTeamService({ limits: { perKey: 4, perOwner: 30 } })
  owner = await service.owner()
})
afterAll(() => service.remove())

const create = async (name: string, perMinute?: number) => {
  const made = await callProcedure(owner, "team.createKey", { name, role: "viewer", perMinute })
  return { ...made, key: (made.data as { key?: string } | undefined)?.key ?? "" }
}

/** The answers to this many calls with a key, alternating between both kinds of routes. */
async function answers(key: string, times: number) {
  const program = service.browser()
  const all: Response[] = []
  for (let at = 0; at < times; at += 1)
    all.push(
      await program.get(at % 2 === 0 ? "/api/trpc/project.list" : "/v1/todos", { authorization: `Bearer ${key}` }),
    )
  return all
}

it("a key with a lower call limit gets 429 at that limit", async () => {
  const slow = await create("slow", 2)
  const usual = await create("usual")
  const [told, tooOften] = await Promise.all([answers(slow.key, 4), answers(usual.key, 5)])
  expect(told.map(({ status }) => status)).toEqual([200, 200, 429, 429])
  for (const response of told.slice(2)) expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0)
  expect(tooOften.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429])
  const { data } = await callProcedure(owner, "team.keys")
  const listed = (data as { name: string; perMinute: number | null }[]).map((key) => [key.name, key.perMinute])
  expect(Object.fromEntries(listed)).toEqual({ slow: 2, usual: null })
})

it("keys of a person share one call limit, workspace tokens another", async () => {
  const hana = await joinTeam(service, owner, "Hana", "admin")
  const made = async (by: TeamBrowser, name: string) =>
    (await callProcedure(by, "team.createKey", { name, role: "viewer" })).data as { key: string }
  const statuses = async (bearers: string[]) =>
    (await Promise.all(bearers.map((bearer) => answers(bearer, 4)))).flat().map(({ status }) => status)
  const keys: string[] = []
  for (let at = 0; at < 9; at += 1) keys.push((await made(hana.browser, `of Hana ${at}`)).key)
  expect((await statuses(keys)).filter((status) => status === 200)).toHaveLength(30)
  // Other callers have their own limits.
  expect(await statuses([(await made(owner, "of Ada")).key])).toEqual([200, 200, 200, 200])
  const tokens: string[] = []
  for (let at = 0; at < 9; at += 1) {
    const answer = await owner.post("/api/tokens", { name: `robot ${at}` })
    tokens.push(((await answer.json()) as { token: string }).token)
  }
  const byTokens = tokens.map((token) =>
    Promise.all([1, 2, 3, 4].map(() => service.browser().get("/v1/todos", { authorization: `Bearer ${token}` }))),
  )
  const told = (await Promise.all(byTokens)).flat().map(({ status }) => status)
  expect(told.filter((status) => status === 200)).toHaveLength(30)
})

it("a key's call limit cannot exceed the service's limit", async () => {
  expect(await create("fast", 5)).toMatchObject({ status: 400, code: "invalid_input" })
  expect((await create("most", 4)).status).toBe(200)
})
