import { stat } from "node:fs/promises"
import path from "node:path"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { deviceClient } from "./device-client.ts"
import { ada, adasSignIn, startTeamService, type TeamService } from "./test/start-team-service.ts"

let service: TeamService

beforeAll(async () => {
  service = await startTeamService()
})
afterAll(() => service.remove())

const sessions = "/api/trpc/session.list?input=%7B%7D"

describe("the first owner", () => {
  it("is created and signed in by a one-time link", async () => {
    expect(service.loginUrl).toMatch(/\/welcome#[\w-]{43}$/)
    const browser = service.browser()
    const { firstSecret: secret } = service
    expect((await browser.get(sessions)).status).toBe(401)
    expect((await browser.post("/api/auth/first-owner", { secret: "wrong", ...ada })).status).toBe(404)
    const weak = await browser.post("/api/auth/first-owner", { secret, ...ada, password: "short" })
    expect([weak.status, await weak.text()]).toEqual([400, expect.stringContaining("at least 10 characters")])
    expect((await browser.post("/api/auth/first-owner", { secret, ...ada, email: "ADA@Example.org" })).status).toBe(200)
    expect((await browser.get(sessions)).status).toBe(200)
    const late = await service.browser().post("/api/auth/first-owner", { secret, ...ada, email: "eve@example.org" })
    expect([late.status, await late.json()]).toMatchObject([404, { error: { data: { docketCode: "link_not_found" } } }])
  })

  it("gets the existing data in the workspace of local mode", async () => {
    const browser = await service.owner()
    const listed: unknown = await (await browser.get("/api/trpc/project.list")).json()
    expect(listed).toMatchObject({ result: { data: [{ directory: service.project }] } })
  })

  it("leaves no secret where others may read it", async () => {
    for (const file of ["team-secret", "token"])
      expect([file, (await stat(path.join(service.data, file))).mode & 0o777]).toEqual([file, 0o600])
  })
})

describe("signing in", () => {
  it.each([
    ["sign-in/email", { email: ada.email, password: ada.password, remember: false }, "remember"],
    ["invitation/accept", { secret: "x".repeat(43), nmae: "Bob", password: "long enough it is" }, "nmae"],
    ["reset", { secret: "x".repeat(43), password: "long enough it is", keepSessions: false }, "keepSessions"],
    ["two-factor/verify-totp", { code: "123456", trustDevice: true }, "trustDevice"],
  ])("%s refuses an unknown key and names it", async (route, body, key) => {
    const refused = await service.browser().post(`/api/auth/${route}`, body)
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { error: { message: expect.stringContaining(`"${key}"`), data: { docketCode: "unknown_key" } } },
    ])
  })

  it("accepts any address case, sets an HttpOnly cookie, ends at sign-out", async () => {
    await service.owner()
    const browser = service.browser()
    const response = await browser.post("/api/auth/sign-in/email", {
      email: " ada@EXAMPLE.org".trim(),
      password: ada.password,
    })
    expect(await response.json()).toEqual({ ok: true, twoFactor: false })
    expect(response.headers.get("set-cookie")).toMatch(/HttpOnly/i)
    expect(response.headers.get("set-cookie")).toMatch(/SameSite=Lax/i)
    expect((await browser.get(sessions)).status).toBe(200)
    const old = browser.cookie()
    expect((await browser.post("/api/logout")).status).toBe(200)
    expect(browser.cookie()).toBe("")
    expect((await service.browser(old).get(sessions)).status).toBe(401)
  })

  it("gives one answer for a wrong password and an unknown person", async () => {
    await service.owner()
    const answers = await Promise.all(
      [
        { ...ada, password: "wrong password" },
        { email: "nobody@example.org", password: "wrong password" },
      ].map(async ({ email, password }) => {
        const response = await service.browser().post("/api/auth/sign-in/email", { email, password })
        return [response.status, await response.text(), response.headers.get("set-cookie")]
      }),
    )
    expect(answers[0]).toEqual(answers[1])
    expect(answers[0]?.[0]).toBe(401)
  })

  it("always creates a new session instead of reusing a planted one", async () => {
    await service.owner()
    const mallory = service.browser()
    await mallory.post("/api/auth/sign-in/email", adasSignIn)
    const planted = mallory.cookie()
    const victim = service.browser(planted)
    await victim.post("/api/auth/sign-in/email", adasSignIn)
    expect(victim.cookie()).not.toBe(planted)
    const forged = service.browser(`${planted.split("=")[0]}=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.c2ln`)
    expect((await forged.get(sessions)).status).toBe(401)
    await forged.post("/api/auth/sign-in/email", adasSignIn)
    expect(forged.cookie()).not.toContain("aaaaaaaa")
  })

  it("is refused to other sites, forms and foreign addresses", async () => {
    const browser = await service.owner()
    for (const headers of [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
    ])
      expect((await browser.post("/api/auth/sign-in/email", adasSignIn, headers)).status).toBe(403)
    const form = { "content-type": "application/x-www-form-urlencoded" }
    expect((await browser.post("/api/auth/sign-in/email", adasSignIn, form)).status).toBe(415)
    expect((await browser.post("/api/auth/sign-out", {}, form)).status).toBe(415)
    expect((await browser.get(sessions)).status).toBe(200)
  })

  it("answers 429 with Retry-After after many wrong passwords; others still enter", async () => {
    await service.owner()
    const statuses = new Map<number, number>()
    let retryAfter: string | null = null
    const browser = service.browser()
    for (let tries = 0; tries < 1_000; tries += 1) {
      const response = await browser.post("/api/auth/sign-in/email", {
        email: "bob@example.org",
        password: `pass ${tries}`,
      })
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
      retryAfter = response.headers.get("retry-after") ?? retryAfter
    }
    expect(Object.fromEntries(statuses)).toEqual({ 401: 10, 429: 990 })
    expect(Number(retryAfter)).toBeGreaterThan(0)
    expect((await browser.post("/api/auth/sign-in/email", adasSignIn)).status).toBe(200)
  })

  it("succeeds any number of times from one address; guessing is limited", async () => {
    const office = await startTeamService({ limits: { signIn: { perPlace: 6, perAccountAndPlace: 4 } } })
    onTestFinished(office.remove)
    await office.owner()
    const signIn = (given: object) => office.browser().post("/api/auth/sign-in/email", given)
    for (let person = 0; person < 15; person += 1) expect((await signIn(adasSignIn)).status).toBe(200)
    const owner = office.browser()
    await owner.post("/api/auth/sign-in/email", adasSignIn)
    for (let line = 0; line < 15; line += 1) {
      const code = await office.browser().post("/api/auth/device/code", { client_id: deviceClient })
      expect([line, code.status]).toEqual([line, 200])
      const { device_code, user_code } = (await code.json()) as { device_code: string; user_code: string }
      expect((await owner.get(`/api/auth/device?user_code=${user_code}`)).status).toBe(200)
      expect((await owner.post("/api/auth/device/approve", { userCode: user_code })).status).toBe(200)
      const grant = { grant_type: "urn:ietf:params:oauth:grant-type:device_code", client_id: deviceClient, device_code }
      expect((await office.browser().post("/api/auth/device/token", grant)).status).toBe(200)
    }
    const wrong: number[] = []
    for (let guess = 0; guess < 7; guess += 1)
      wrong.push((await signIn({ email: `no${guess}@example.org`, password: "a guess" })).status)
    expect(wrong).toEqual([401, 401, 401, 401, 401, 401, 429])
  })
})

describe("a team", () => {
  it("does not offer better-auth's own routes for sign-up, keys, workspaces and accounts", async () => {
    const browser = await service.owner()
    for (const route of [
      "sign-up/email",
      "api-key/create",
      "api-key/update",
      "api-key/delete",
      "api-key/verify",
      "organization/create",
      "organization/add-member",
      "organization/invite-member",
      "organization/accept-invitation",
      "organization/update-member-role",
      "update-user",
      "change-email",
      "delete-user",
      "request-password-reset",
      "reset-password",
      "link-social",
    ]) {
      for (const each of [service.browser(), browser])
        expect([route, (await each.post(`/api/auth/${route}`, { name: "x", userId: "y" })).status]).toEqual([
          route,
          404,
        ])
    }
    for (const route of ["api-key/list", "organization/list", "get-session", "list-accounts", "ok", "error"])
      expect([route, (await browser.get(`/api/auth/${route}`)).status]).toEqual([route, 404])
  })

  it("offers login codes to nobody, and the first-owner link only to operators", async () => {
    const browser = await service.owner()
    expect((await browser.post("/api/auth/first-owner/link")).status).toBe(401)
    const operator = { authorization: `Bearer ${service.token}` }
    expect(await (await service.browser().post("/api/auth/first-owner/link", {}, operator)).json()).toEqual({
      url: null,
    })
    expect((await service.browser().post("/api/login-code", {}, operator)).status).toBe(400)
    expect((await service.browser().post("/api/login", { code: "x" })).status).toBe(401)
  })
})
