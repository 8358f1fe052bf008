import { appCode } from "@docket/config/app-code"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ada, startTeamService, type TeamBrowser, type TeamService } from "./test/start-team-service.ts"

let service: TeamService
let owner: TeamBrowser
let totpURI = ""
let backupCodes: string[] = []

const sessions = "/api/trpc/session.list?input=%7B%7D"
const { email, password } = ada

beforeAll(async () => {
  service = await startTeamService()
  owner = await service.owner()
})
afterAll(() => service.remove())

/** Signs in up to the second factor. */
async function passwordOnly(): Promise<TeamBrowser> {
  const browser = service.browser()
  const answer = await browser.post("/api/auth/sign-in/email", { email, password })
  expect(await answer.json()).toEqual({ ok: true, twoFactor: true })
  expect((await browser.get(sessions)).status).toBe(401)
  return browser
}

const enterCode = (browser: TeamBrowser, code: string, way = "verify-totp") =>
  browser.post(`/api/auth/two-factor/${way}`, { code })

describe("a second step", () => {
  it("is set up with password and code and required only afterwards", async () => {
    expect((await owner.post("/api/auth/two-factor/enable", { password: "not the password" })).status).toBe(400)
    const begun = (await (await owner.post("/api/auth/two-factor/enable", { password })).json()) as {
      totpURI: string
      backupCodes: string[]
    }
    totpURI = begun.totpURI
    backupCodes = begun.backupCodes
    expect([new URL(totpURI).protocol, backupCodes.length]).toEqual(["otpauth:", 10])
    // A user who has not finished the set-up is not locked out.
    const early = await service.browser().post("/api/auth/sign-in/email", { email, password })
    expect(await early.json()).toEqual({ ok: true, twoFactor: false })
    expect((await enterCode(owner, "000000")).status).toBe(401)
    const code = appCode(totpURI)
    expect((await enterCode(owner, code)).status).toBe(200)
    const methods = await (await owner.get("/api/auth/methods")).json()
    expect(methods).toEqual({ password: true, twoFactor: true, providers: [] })
    const browser = await passwordOnly()
    // The code of the set-up counts as used.
    expect((await enterCode(browser, code)).status).toBe(401)
  })

  it("takes each code once, also from two browsers at the same moment", async () => {
    const code = appCode(totpURI, 1)
    const browsers = await Promise.all([passwordOnly(), passwordOnly()])
    const answers = await Promise.all(browsers.map((browser) => enterCode(browser, code)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
    const within = await Promise.all(browsers.map((browser) => browser.get(sessions)))
    expect(within.map(({ status }) => status).sort()).toEqual([200, 401])
    // A browser cannot ask to be trusted, and has to enter a code the next time.
    const trusting = await passwordOnly()
    const trusted = { code: backupCodes[9], trustDevice: true }
    expect((await trusting.post("/api/auth/two-factor/verify-backup-code", trusted)).status).toBe(400)
    expect((await enterCode(trusting, backupCodes[9] ?? "", "verify-backup-code")).status).toBe(200)
    const anew = await trusting.post("/api/auth/sign-in/email", { email, password })
    expect(await anew.json()).toEqual({ ok: true, twoFactor: true })
    const late = await passwordOnly()
    const again = await enterCode(late, code)
    expect([again.status, await again.text()]).toEqual([401, expect.stringContaining("used already")])
    expect(again.headers.getSetCookie()).toEqual([])
    expect((await late.get(sessions)).status).toBe(401)
  })

  it("takes each backup code once, and no replaced codes", async () => {
    const [one = "", two = ""] = backupCodes
    const browser = await passwordOnly()
    expect((await enterCode(browser, one, "verify-backup-code")).status).toBe(200)
    expect((await browser.get(sessions)).status).toBe(200)
    expect((await enterCode(await passwordOnly(), one, "verify-backup-code")).status).toBe(401)
    const made = await browser.post("/api/auth/two-factor/generate-backup-codes", { password })
    const { backupCodes: fresh } = (await made.json()) as { backupCodes: string[] }
    expect((await enterCode(await passwordOnly(), two, "verify-backup-code")).status).toBe(401)
    expect((await enterCode(await passwordOnly(), fresh[0] ?? "", "verify-backup-code")).status).toBe(200)
  })

  it("cannot be guessed: tries are limited per sign-in and per place", async () => {
    const browser = await passwordOnly()
    const statuses: number[] = []
    for (let tries = 0; tries < 1_000; tries += 1)
      statuses.push((await enterCode(browser, String(100_000 + tries))).status)
    const limited = statuses.filter((status) => status === 429).length
    expect(statuses.slice(0, 5).every((status) => status === 401)).toBe(true)
    expect(limited).toBeGreaterThanOrEqual(990)
    expect(statuses).not.toContain(200)
    // After too many tries, even the right code is refused.
    expect((await enterCode(browser, appCode(totpURI, 1))).status).toBe(429)
  })

  it("is turned off by the password alone", async () => {
    const stranger = await service.browser().post("/api/auth/two-factor/disable", { password })
    expect(stranger.status).toBe(401)
    expect((await owner.post("/api/auth/two-factor/disable", { password: "not the password" })).status).toBe(400)
    expect((await owner.post("/api/auth/two-factor/disable", { password })).status).toBe(200)
    const browser = service.browser()
    const answer = await browser.post("/api/auth/sign-in/email", { email, password })
    expect(await answer.json()).toEqual({ ok: true, twoFactor: false })
    expect((await browser.get(sessions)).status).toBe(200)
  })
})
