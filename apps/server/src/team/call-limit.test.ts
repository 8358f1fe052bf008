import { afterAll, beforeAll, expect, it } from "vitest"
import { adasSignIn, startTeamService, type TeamService } from "./test/start-team-service.ts"

let service: TeamService

beforeAll(async () => {
  service = await startTeamService({ limits: { perKey: 3, perPerson: 5 } })
})
afterAll(() => service.remove())

it("a person's excess calls get 429; programs have their own limit", async () => {
  const browser = await service.owner()
  const answers: Response[] = []
  for (let n = 0; n < 7; n += 1) answers.push(await browser.get("/api/trpc/project.list"))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 429])
  const [last] = answers.slice(-1)
  expect(Number(last?.headers.get("retry-after"))).toBeGreaterThan(0)
  expect(await last?.text()).toContain("too many calls")
  // A new sign-in does not reset the limit.
  const again = service.browser()
  await again.post("/api/auth/sign-in/email", adasSignIn)
  expect((await again.get("/api/trpc/project.list")).status).toBe(429)
  const authorization = `Bearer ${service.token}`
  const calls = []
  for (const route of ["/api/trpc/project.list", "/v1/todos", "/api/trpc/project.list", "/v1/todos"])
    calls.push((await service.browser().get(route, { authorization })).status)
  expect(calls).toEqual([200, 200, 200, 429])
})

it("calls without a sign-in are not counted", async () => {
  const answers = []
  for (let n = 0; n < 10; n += 1) answers.push((await service.browser().get("/api/trpc/project.list")).status)
  expect(new Set(answers)).toEqual(new Set([401]))
})
