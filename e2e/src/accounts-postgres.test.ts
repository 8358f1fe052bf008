import { appCode } from "@docket/config/app-code"
import type { APIRequestContext } from "@playwright/test"
import { startDocket } from "./fixtures/docket-server.ts"
import { test as base, expect } from "./fixtures/service-test.ts"
import { ada, firstOwner, joinTeam, teamBrowser } from "./fixtures/team-people.ts"

const test = base.extend("server", async ({ project, databaseUrl }, { onCleanup }) => {
  const env = { DATABASE_URL: databaseUrl ?? "" }
  const server = await startDocket({ project: project.directory, web: false, team: {}, env })
  onCleanup(() => server.stop())
  return server
})

test.override({ database: "postgres" })

const mySessions = "/api/trpc/session.list?input=%7B%7D"
const isSignedIn = async (browser: APIRequestContext) => (await browser.get(mySessions)).status() === 200

test("every sign-in and sign-out works on PostgreSQL and survives a restart", async ({ server }) => {
  const owner = await firstOwner(server)
  const signIn = async ({ email, password }: { email: string; password: string }) => {
    const browser = await teamBrowser(server)
    const answer = await browser.post("/api/auth/sign-in/email", { data: { email, password } })
    return { browser, status: answer.status(), answer: (await answer.json()) as { twoFactor?: boolean } }
  }
  const call = async (as: APIRequestContext, procedure: string, data: object) => {
    const answer = await as.post(`/api/trpc/team.${procedure}`, { data })
    return (await answer.json()) as { result: { data: { url: string; key: string } } }
  }
  expect((await signIn({ ...ada, email: "ADA@example.org" })).status).toBe(200)
  expect((await signIn({ ...ada, password: "not the password" })).status).toBe(401)
  const bob = await joinTeam(server, owner, "Bob", "member")
  expect(await isSignedIn(bob.browser)).toBe(true)

  const begun = await owner.post("/api/auth/two-factor/enable", { data: { password: ada.password } })
  const { totpURI, backupCodes } = (await begun.json()) as { totpURI: string; backupCodes: string[] }
  const submitCode = async (browser: APIRequestContext, way: string, code: string) =>
    (await browser.post(`/api/auth/two-factor/${way}`, { data: { code } })).status()
  expect(await submitCode(owner, "verify-totp", appCode(totpURI))).toBe(200)

  await server.kill()
  await server.restart()
  expect([await isSignedIn(owner), await isSignedIn(bob.browser)]).toEqual([true, true])
  const second = await signIn(ada)
  expect([second.answer.twoFactor, await isSignedIn(second.browser)]).toEqual([true, false])
  // The code of the set-up counts as used.
  expect(await submitCode(second.browser, "verify-totp", appCode(totpURI, 1))).toBe(200)
  expect(await isSignedIn(second.browser)).toBe(true)
  const third = await signIn(ada)
  expect(await submitCode(third.browser, "verify-backup-code", backupCodes[0] ?? "")).toBe(200)
  const fourth = await signIn(ada)
  expect(await submitCode(fourth.browser, "verify-backup-code", backupCodes[0] ?? "")).toBe(401)

  const { result } = await call(owner, "createKey", { name: "watcher", role: "viewer" })
  const asKey = await teamBrowser(server)
  const headers = { authorization: `Bearer ${result.data.key}` }
  expect((await asKey.get(mySessions, { headers })).status()).toBe(200)

  const device = await asKey.post("/api/auth/device/code", { data: { client_id: "docket-cli" } })
  const { user_code, device_code } = (await device.json()) as { user_code: string; device_code: string }
  expect((await owner.get(`/api/auth/device?user_code=${user_code}`)).status()).toBe(200)
  expect((await owner.post("/api/auth/device/approve", { data: { userCode: user_code } })).status()).toBe(200)
  const grant = "urn:ietf:params:oauth:grant-type:device_code"
  const claim = { data: { grant_type: grant, device_code, client_id: "docket-cli" } }
  const claims = await Promise.all([
    asKey.post("/api/auth/device/token", claim),
    asKey.post("/api/auth/device/token", claim),
  ])
  expect(claims.map((answer) => answer.status()).sort()).toEqual([200, 400])

  const members = (await (await owner.get("/api/trpc/team.members")).json()) as {
    result: { data: { person: string; email: string }[] }
  }
  const person = members.result.data.find(({ email }) => email === bob.email)?.person
  const link = (await call(owner, "resetLink", { person })).result.data.url
  const reset = { data: { secret: new URL(link).hash.slice(1), password: "a new password of bob" } }
  const resets = await Promise.all([asKey.post("/api/auth/reset", reset), asKey.post("/api/auth/reset", reset)])
  expect(resets.map((answer) => answer.status()).sort()).toEqual([200, 404])
  expect(await isSignedIn(bob.browser)).toBe(false)
  const again = await signIn({ ...bob, password: "a new password of bob" })
  expect(await isSignedIn(again.browser)).toBe(true)
  await call(owner, "remove", { person })
  expect(await isSignedIn(again.browser)).toBe(false)
})
