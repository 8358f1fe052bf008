import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startMailServer } from "./test/start-mail-server.ts"
import { startTeamService, type TeamBrowser, type TeamService } from "./test/start-team-service.ts"
import { callProcedure, joinTeam } from "./test/team-calls.ts"

let mails: Awaited<ReturnType<typeof startMailServer>>
let service: TeamService
let owner: TeamBrowser

beforeAll(async () => {
  mails = await startMailServer()
  const limits = { links: { perPerson: 6, perAddress: 2 } }
  service = await startTeamService({ limits, smtp: { url: mails.url, from: "docket@example.org" } })
  owner = await service.owner()
})
afterAll(async () => {
  await service.remove()
  await mails.stop()
})

const invite = (as: TeamBrowser, email: string) => as.post("/api/trpc/team.invite", { email, role: "viewer" })
const statuses = (answers: Response[]) => answers.map(({ status }) => status)

async function requireTooMany(answer: Response | undefined) {
  expect(answer?.status).toBe(429)
  expect(Number(answer?.headers.get("retry-after"))).toBeGreaterThan(0)
  expect(await answer?.text()).toMatch(/Try again in \d+ (second|minute)s?\./)
}

describe("a person who may invite", () => {
  it("reaches a limit per address and can still invite other addresses", async () => {
    const bob = await joinTeam(service, owner, "Bob", "admin")
    await mails.next()
    const many: Response[] = []
    for (let count = 0; count < 4; count += 1) many.push(await invite(owner, "Victim@example.org"))
    expect(statuses(many)).toEqual([200, 200, 429, 429])
    await requireTooMany(many[3])
    // The limit is for the whole workspace, and counts each call of a batch.
    await requireTooMany(await invite(bob.browser, "victim@example.org"))
    const victim = { email: "victim@example.org", role: "viewer" }
    const batch = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [at, victim]))
    const names = Array.from({ length: 20 }, () => "team.invite").join(",")
    const answer = await owner.post(`/api/trpc/${names}?batch=1`, batch)
    expect([answer.status, answer.headers.get("retry-after") !== null]).toEqual([429, true])
    expect([await mails.next(), await mails.next()].map(({ to }) => to)).toEqual([
      ["victim@example.org"],
      ["victim@example.org"],
    ])
    expect(mails.waiting()).toBe(0)
    expect((await invite(owner, "carol@example.org")).status).toBe(200)
    await mails.next()
  })

  it("uses up no limit by calls that are refused", async () => {
    for (let count = 0; count < 5; count += 1) expect((await invite(owner, "bob@example.org")).status).toBe(409)
    expect(mails.waiting()).toBe(0)
  })

  it("can create a limited number of links per hour, password links included", async () => {
    const members = (await callProcedure(owner, "team.members")).data as { person: string; name: string }[]
    const bob = members.find(({ name }) => name === "Bob")?.person
    const reset = () => owner.post("/api/trpc/team.resetLink", { person: bob })
    // Bob's address had one link, his invitation; this reset is its second and last.
    expect((await reset()).status).toBe(200)
    await requireTooMany(await reset())
    // The owner made five links so far; Dora's is the sixth and last.
    expect((await invite(owner, "dora@example.org")).status).toBe(200)
    await requireTooMany(await invite(owner, "erin@example.org"))
    // Other users have their own limits.
    expect((await callProcedure(owner, "team.invitations")).status).toBe(200)
    const bobs = service.browser()
    await bobs.post("/api/auth/sign-in/email", { email: "bob@example.org", password: "Bob has a password" })
    expect((await invite(bobs, "frank@example.org")).status).toBe(200)
  })
})

it("guessing invitation links soon requires waiting, even with a valid one", async () => {
  const bob = service.browser()
  await bob.post("/api/auth/sign-in/email", { email: "bob@example.org", password: "Bob has a password" })
  const { data } = await callProcedure(bob, "team.invite", { email: "grace@example.org", role: "viewer" })
  const good = { secret: (data as { url: string }).url.split("#")[1] ?? "", name: "Grace", password: "a long password" }
  const guess = { ...good, secret: "a guess" }
  const stranger = service.browser()
  const send = (way: "look" | "accept", { secret, ...person }: typeof guess) =>
    stranger.post(`/api/auth/invitation/${way}`, way === "look" ? { secret } : { secret, ...person })
  const guesses: Response[] = []
  // `look` and `accept` share one limit.
  for (let count = 0; count < 5; count += 1) guesses.push(await send("look", guess), await send("accept", guess))
  expect(statuses(guesses)).toEqual(Array.from({ length: 10 }, () => 404))
  for (const way of ["look", "accept"] as const) {
    for (const body of [guess, good]) {
      const answer = await send(way, body)
      expect(answer.status).toBe(429)
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0)
    }
  }
  expect((await callProcedure(bob, "team.invitations")).data).toContainEqual(
    expect.objectContaining({ email: "grace@example.org" }),
  )
})
