import path from "node:path"
import { DatabaseSync } from "node:sqlite"
import { appCode } from "@docket/config/app-code"
import { afterAll, beforeAll, expect, it } from "vitest"
import { startTeamService, type TeamBrowser, type TeamService } from "./test/start-team-service.ts"

let service: TeamService
let owner: TeamBrowser
let person: string

const provider = (id: string) => ({
  id,
  name: id,
  issuer: "https://id.example.org",
  clientId: "docket",
  clientSecret: "s",
})

beforeAll(async () => {
  service = await startTeamService({ oidc: [provider("one"), provider("two")] })
  owner = await service.owner()
  person = ((await (await owner.get("/api/trpc/me.get")).json()) as Answer<{ person: string }>).result.data.person
})
afterAll(() => service.remove())

interface Answer<T> {
  result: { data: T }
}

/** Writes rows that normally only a browser or a provider could create. */
function runSql(sql: string, ...values: (string | number)[]): void {
  const tables = new DatabaseSync(path.join(service.data, "docket.db"))
  tables.exec("PRAGMA busy_timeout = 5000")
  tables.prepare(sql).run(...values)
  tables.close()
}

const now = new Date().toISOString()

function link(id: string): void {
  const columns = `"id", "accountId", "providerId", "userId", "createdAt", "updatedAt"`
  runSql(
    `INSERT INTO "AuthAccount" (${columns}) VALUES (?, ?, ?, ?, ?, ?)`,
    `acc-${id}`,
    `ada-${id}`,
    id,
    person,
    now,
    now,
  )
}

function addPasskey(id: string, of = person): void {
  const columns = `"id", "name", "publicKey", "userId", "credentialID", "counter", "deviceType", "backedUp", "createdAt"`
  const values = [id, "My laptop", "key", of, `credential ${id}`, 0, "singleDevice", 0, now]
  runSql(`INSERT INTO "AuthPasskey" (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`, ...values)
}

async function methods() {
  const answer = await owner.get("/api/auth/methods")
  return (await answer.json()) as { password: boolean; providers: { id: string; linked: boolean; canGo: boolean }[] }
}

async function passkeys() {
  return (await (await owner.get("/api/auth/passkey/list-user-passkeys")).json()) as { id: string; name: string }[]
}

const unlink = (id: string) => owner.post("/api/auth/provider/unlink", { provider: id })

it("an external account is unlinked once, only by the signed-in person", async () => {
  link("one")
  expect((await methods()).providers).toMatchObject([
    { id: "one", linked: true, canGo: true },
    { id: "two", linked: false, canGo: false },
  ])
  expect((await service.browser().post("/api/auth/provider/unlink", { provider: "one" })).status).toBe(401)
  const asProgram = { authorization: `Bearer ${service.token}` }
  expect((await service.browser().post("/api/auth/provider/unlink", { provider: "one" }, asProgram)).status).toBe(401)
  expect((await unlink("one")).status).toBe(200)
  expect((await methods()).providers).toMatchObject([{ linked: false }, { linked: false }])
  expect((await unlink("one")).status).toBe(404)
  // The password is not an account of a provider.
  expect((await unlink("credential")).status).toBe(404)
  expect((await methods()).password).toBe(true)
})

it("only its owner renames and removes a passkey", async () => {
  addPasskey("pk-1")
  const rename = (name: string, as = owner) => as.post("/api/auth/passkey/rename", { id: "pk-1", name })
  expect((await rename("  My phone ")).status).toBe(200)
  expect(await passkeys()).toMatchObject([{ id: "pk-1", name: "My phone" }])
  for (const bad of ["", "   ", "x".repeat(61)]) expect((await rename(bad)).status).toBe(400)
  const { data } = (
    (await (
      await owner.post("/api/trpc/team.invite", { email: "mallory@example.org", role: "admin" })
    ).json()) as Answer<{ url: string }>
  ).result
  const mallory = service.browser()
  await mallory.post("/api/auth/invitation/accept", {
    secret: data.url.split("#")[1],
    name: "Mallory",
    password: "a long enough one",
  })
  expect((await rename("Mine", mallory)).status).toBe(404)
  expect((await mallory.post("/api/auth/passkey/delete-passkey", { id: "pk-1" })).status).toBe(404)
  expect(await passkeys()).toMatchObject([{ name: "My phone" }])
  expect((await owner.post("/api/auth/passkey/delete-passkey", { id: "pk-1" })).status).toBe(200)
  expect(await passkeys()).toEqual([])
})

it("the last way to sign in stays, even with simultaneous removals", async () => {
  link("one")
  link("two")
  addPasskey("pk-2")
  runSql(`DELETE FROM "AuthAccount" WHERE "userId" = ? AND "providerId" = 'credential'`, person)
  const answers = await Promise.all([
    unlink("one"),
    unlink("two"),
    owner.post("/api/auth/passkey/delete-passkey", { id: "pk-2" }),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409])
  const refused = answers.find(({ status }) => status === 409)
  expect(await refused?.text()).toContain("This is the only way that you can sign in.")
  const left = (await methods()).providers.filter(({ linked }) => linked).length + (await passkeys()).length
  expect(left).toBe(1)
  expect((await methods()).providers.some(({ canGo }) => canGo)).toBe(false)
})

it("a person who joins another workspace starts in that workspace", async () => {
  const team = await startTeamService()
  try {
    const first = await team.owner()
    const call = async <T>(as: TeamBrowser, name: string, input: object) => {
      const answer = await as.post(`/api/trpc/${name}`, input)
      return ((await answer.json()) as Answer<T>).result.data
    }
    const workspaceOf = async (as: TeamBrowser) =>
      ((await (await as.get("/api/trpc/me.get")).json()) as Answer<{ workspace: string }>).result.data.workspace
    const secretOf = ({ url }: { url: string }) => url.split("#")[1]
    const invited = await call<{ url: string }>(first, "team.invite", { email: "bob@example.org", role: "member" })
    const bob = team.browser()
    const password = "Bob has a password"
    await bob.post("/api/auth/invitation/accept", { secret: secretOf(invited), name: "Bob", password })
    const enabled = await bob.post("/api/auth/two-factor/enable", { password })
    const { totpURI } = (await enabled.json()) as { totpURI: string }
    expect((await bob.post("/api/auth/two-factor/verify-totp", { code: appCode(totpURI) })).status).toBe(200)

    const inviteTo = async (name: string) => {
      const { id } = await call<{ id: string }>(first, "workspace.create", { name })
      await call(first, "workspace.switch", { workspace: id })
      return secretOf(await call<{ url: string }>(first, "team.invite", { email: "bob@example.org", role: "viewer" }))
    }
    const globex = await inviteTo("Globex")
    const elsewhere = team.browser()
    const accepted = await elsewhere.post("/api/auth/invitation/accept", { secret: globex, password })
    expect(await accepted.json()).toEqual({ ok: true, twoFactor: true })
    expect((await elsewhere.post("/api/auth/two-factor/verify-totp", { code: appCode(totpURI, 1) })).status).toBe(200)
    expect(await workspaceOf(elsewhere)).toBe("globex")
    expect(await workspaceOf(bob)).toBe("local")

    const initech = await inviteTo("Initech")
    // Neither another signed-in user nor a signed-out one can accept it.
    for (const other of [first, team.browser()]) {
      const look = await other.post("/api/auth/invitation/look", { secret: initech })
      expect(await look.json()).not.toHaveProperty("isYou")
      expect((await other.post("/api/auth/invitation/accept", { secret: initech })).status).toBe(401)
    }
    const look = await bob.post("/api/auth/invitation/look", { secret: initech })
    expect(await look.json()).toMatchObject({ hasAccount: true, isYou: true })
    expect((await bob.post("/api/auth/invitation/accept", { secret: initech })).status).toBe(200)
    expect(await workspaceOf(bob)).toBe("initech")
    expect((await bob.post("/api/auth/invitation/accept", { secret: initech })).status).toBe(404)
  } finally {
    await team.remove()
  }
})

it("a race between accepting and cancelling an invitation has one consistent result", async () => {
  for (let round = 0; round < 6; round += 1) {
    const email = `guest${round}@example.org`
    const made = await owner.post("/api/trpc/team.invite", { email, role: "member" })
    const { id, url } = ((await made.json()) as Answer<{ id: string; url: string }>).result.data
    const given = { secret: url.split("#")[1], name: "Guest", password: "a long enough one" }
    const [cancelled, accepted] = await Promise.all([
      owner.post("/api/trpc/team.cancelInvitation", { invitation: id }),
      service.browser().post("/api/auth/invitation/accept", given),
    ])
    expect([200, 404]).toContain(cancelled.status)
    expect(accepted.status).toBe(cancelled.ok ? 404 : 200)
    const members = await (await owner.get("/api/trpc/team.members")).text()
    expect(members.includes(email)).toBe(accepted.ok)
  }
})
