import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import type { AuditEntry } from "@docket/core/schema"
import { afterAll, beforeAll, expect, it } from "vitest"
import { z } from "zod"
import { startTeamService, type TeamBrowser, type TeamService } from "./test/start-team-service.ts"
import { callProcedure, joinTeam } from "./test/team-calls.ts"

const perAccount = 6
let service: TeamService
let owner: TeamBrowser

beforeAll(async () => {
  service = await startTeamService({ limits: { signIn: { perAccountAndPlace: 3, perAccount } } })
  owner = await service.owner()
})
afterAll(() => service.remove())

let places = 1
/** Sends a body from a new client address: all of 127.0.0.0/8 is this machine. */
async function sendElsewhere(route: string, body: object, cookie = ""): Promise<{ status: number | undefined }> {
  const headers = { "content-type": "application/json", origin: service.url, "sec-fetch-site": "same-origin", cookie }
  const options = { method: "POST", headers, localAddress: `127.0.0.${++places}` }
  const req = request(service.url + route, options).end(JSON.stringify(body))
  const [res] = (await once(req, "response")) as [IncomingMessage]
  res.resume()
  return { status: res.statusCode }
}

async function failures(email: string): Promise<AuditEntry[]> {
  const { data } = await callProcedure(owner, "audit.list", { limit: 500, act: "sign-in.failed" })
  const { items } = data as { items: AuditEntry[] }
  return items.filter(({ targets }) => targets.email === email)
}

/** Invites a person with an account into a new workspace. Returns the link's secret: the link asks for the password. */
async function inviteElsewhere(email: string): Promise<string> {
  const made = await callProcedure(owner, "workspace.create", { name: `Lure of ${email}` })
  const { id } = z.object({ id: z.string() }).parse(made.data)
  await callProcedure(owner, "workspace.switch", { workspace: id })
  const { data } = await callProcedure(owner, "team.invite", { email, role: "member" })
  await callProcedure(owner, "workspace.switch", { workspace: "local" })
  return z.object({ url: z.string() }).parse(data).url.split("#")[1] ?? ""
}

/** How often each status was the answer to this many tries. */
async function statusesOf(
  count: number,
  one: (at: number) => Promise<{ status: number | undefined }>,
): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {}
  for (let at = 0; at < count; at += 1) {
    const { status } = await one(at)
    statuses[String(status)] = (statuses[String(status)] ?? 0) + 1
  }
  return statuses
}

it("invitation and login page share one password-try limit and log the account", async () => {
  const vera = await joinTeam(service, owner, "Vera", "member")
  const secret = await inviteElsewhere(vera.email)
  const admin = service.browser()
  const route = "/api/auth/invitation/accept"
  const guess = { secret, password: "a guess" }
  // A successful look from the same address does not give tries back.
  const withLooks = async () => {
    expect((await admin.post("/api/auth/invitation/look", { secret })).status).toBe(200)
    return admin.post(route, guess)
  }
  expect(await statusesOf(10, withLooks)).toEqual({ 401: 3, 429: 7 })
  expect(await statusesOf(10, () => sendElsewhere(route, guess))).toEqual({
    401: perAccount - 3,
    429: 10 - perAccount + 3,
  })
  const [first] = await failures(vera.email)
  expect(first).toMatchObject({ call: `POST ${route}`, targets: { person: vera.person, name: "Vera" } })
  // Both ways are for the same account.
  const signIn = { email: vera.email, password: vera.password }
  expect((await sendElsewhere("/api/auth/sign-in/email", signIn)).status).toBe(429)
})

it("a stolen sign-in gets no extra password tries on any route", async () => {
  const theo = await joinTeam(service, owner, "Theo", "member")
  const routes = [
    ["change-password", { currentPassword: "a guess", newPassword: "the thief's password" }],
    ["two-factor/enable", { password: "a guess" }],
    ["two-factor/disable", { password: "a guess" }],
    ["two-factor/generate-backup-codes", { password: "a guess" }],
  ] as const
  const statuses = await statusesOf(20, (at) => {
    const [route, body] = routes[at % routes.length] ?? routes[0]
    return sendElsewhere(`/api/auth/${route}`, body, theo.browser.cookie())
  })
  expect(statuses).toEqual({ 400: perAccount, 429: 20 - perAccount })
  expect(await failures(theo.email)).not.toEqual([])
})

it("a correct password uses up no tries", async () => {
  const rita = await joinTeam(service, owner, "Rita", "member")
  // Each round uses the password twice.
  for (let tries = 0; tries <= perAccount; tries += 2) {
    const secret = await inviteElsewhere(rita.email)
    const here = { secret, password: rita.password }
    expect((await service.browser().post("/api/auth/invitation/accept", here)).status).toBe(200)
    const changed = { currentPassword: rita.password, newPassword: rita.password }
    expect((await rita.browser.post("/api/auth/change-password", changed)).status).toBe(200)
  }
  expect(await failures(rita.email)).toEqual([])
})
