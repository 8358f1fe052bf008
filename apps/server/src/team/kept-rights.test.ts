import path from "node:path"
import { DatabaseSync } from "node:sqlite"
import { appCode } from "@docket/config/app-code"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { holdRequest } from "./test/hold-request.ts"
import { ada, startTeamService, type TeamBrowser, type TeamService } from "./test/start-team-service.ts"
import { callProcedure, joinTeam } from "./test/team-calls.ts"

let service: TeamService
let owner: TeamBrowser

beforeAll(async () => {
  service = await startTeamService()
  owner = await service.owner()
})
afterAll(() => service.remove())

const join = (name: string, role: string) => joinTeam(service, owner, name, role)

async function resetSecret(as: TeamBrowser, person: string): Promise<string> {
  const { data } = await callProcedure(as, "team.resetLink", { person })
  return (data as { url: string }).url.split("#")[1] ?? ""
}

const reset = (secret: string) =>
  service.browser().post("/api/auth/reset", { secret, password: "what the taker chose" })

const signIn = async ({ email, password }: { email: string; password: string }) => {
  const browser = service.browser()
  await browser.post("/api/auth/sign-in/email", { email, password })
  return browser
}

async function makeKey(as: TeamBrowser, rights: object): Promise<{ authorization: string }> {
  const { data } = await callProcedure(as, "team.createKey", { name: "found", ...rights })
  return { authorization: `Bearer ${(data as { key: string }).key}` }
}

describe("somebody who finds a key", () => {
  it("cannot create a /v1 token that would outlive the key", async () => {
    const limited = await makeKey(owner, { role: "admin", capabilities: ["keys.manage"], days: 1 })
    const made = await service.browser().post("/api/tokens", { name: "for good" }, limited)
    expect([made.status, await made.text()]).toEqual([403, expect.stringContaining("role_forbidden")])
  })

  it("cannot make anybody a member or higher with it", async () => {
    const friend = await join("Frieda", "viewer")
    for (const rights of [{ role: "admin", capabilities: ["people.manage"] }, { role: "owner" }]) {
      const key = await makeKey(owner, rights)
      const { person } = friend
      for (const [name, input] of [
        ["team.setRole", { person, role: "admin" }],
        ["team.invite", { email: "finder@example.org", role: "admin" }],
      ] as const)
        expect([name, (await callProcedure(service.browser(), name, input, key)).code]).toEqual([
          name,
          "role_forbidden",
        ])
    }
    expect((await callProcedure(friend.browser, "me.get")).data).toMatchObject({ role: "viewer" })
  })
})

describe("the maker of a link for a new password", () => {
  it("cannot use the link after removal or loss of the right", async () => {
    const victim = await join("Vera", "member")
    for (const end of ["remove", "setRole", "leave"] as const) {
      const admin = await join(`Adam${end}`, "admin")
      const secret = await resetSecret(admin.browser, victim.person)
      expect((await service.browser().post("/api/auth/reset/look", { secret })).status).toBe(200)
      if (end === "leave") await callProcedure(admin.browser, "team.leave")
      else
        await callProcedure(owner, `team.${end}`, {
          person: admin.person,
          ...(end === "setRole" && { role: "member" }),
        })
      expect([end, (await service.browser().post("/api/auth/reset/look", { secret })).status]).toEqual([end, 404])
      expect([end, (await reset(secret)).status]).toEqual([end, 404])
    }
    expect((await callProcedure(victim.browser, "me.get")).data).toMatchObject({ role: "member" })
    expect((await callProcedure(await signIn(victim), "me.get")).status).toBe(200)
  })

  it("may be the machine's token, which belongs to no person", async () => {
    const person = await join("Ole", "member")
    const made = await callProcedure(
      service.browser(),
      "team.resetLink",
      { person: person.person },
      { authorization: `Bearer ${service.token}` },
    )
    expect((await reset((made.data as { url: string }).url.split("#")[1] ?? "")).status).toBe(200)
  })
})

describe("an account whose password is reset by a link", () => {
  /** Writes a row that normally only a browser can create. */
  const addPasskey = (person: string) => {
    const tables = new DatabaseSync(path.join(service.data, "docket.db"))
    tables.exec("PRAGMA busy_timeout = 5000")
    const columns = `"id", "name", "publicKey", "userId", "credentialID", "counter", "deviceType", "backedUp", "createdAt"`
    const values = [
      `pk ${person}`,
      "A laptop",
      "key",
      person,
      `credential ${person}`,
      0,
      "singleDevice",
      0,
      "2026-01-01",
    ]
    tables.prepare(`INSERT INTO "AuthPasskey" (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`).run(...values)
    tables.close()
  }
  const passkeys = async (as: TeamBrowser) =>
    ((await (await as.get("/api/auth/passkey/list-user-passkeys")).json()) as unknown[]).length
  const lastReset = async () =>
    (
      (await callProcedure(owner, "audit.list", { limit: 1, act: "sign-in.method" })).data as {
        items: { call: string; facts: object }[]
      }
    ).items

  it("loses passkeys, and authenticator codes only through an operator's link", async () => {
    const admin = await join("Ada2", "admin")
    const pia = await join("Pia", "member")
    const begun = await pia.browser.post("/api/auth/two-factor/enable", { password: pia.password })
    const { totpURI } = (await begun.json()) as { totpURI: string }
    expect((await pia.browser.post("/api/auth/two-factor/verify-totp", { code: appCode(totpURI) })).status).toBe(200)
    addPasskey(pia.person)
    expect(await passkeys(pia.browser)).toBe(1)

    const look = async (secret: string) => (await service.browser().post("/api/auth/reset/look", { secret })).json()
    const byAdmin = await resetSecret(admin.browser, pia.person)
    expect(await look(byAdmin)).toEqual({ ok: true, endsSecondStep: false })
    expect((await reset(byAdmin)).status).toBe(200)
    expect(await lastReset()).toMatchObject([{ call: "POST /api/auth/reset", facts: { passkeys: 1 } }])
    // An administrator cannot pass someone else's second factor with a reset link.
    const firstStep = await service
      .browser()
      .post("/api/auth/sign-in/email", { email: pia.email, password: "what the taker chose" })
    expect(await firstStep.json()).toEqual({ ok: true, twoFactor: true })

    const byOperator = await resetSecret(owner, pia.person)
    expect(await look(byOperator)).toEqual({ ok: true, endsSecondStep: true })
    expect((await reset(byOperator)).status).toBe(200)
    expect(await lastReset()).toMatchObject([{ facts: { passkeys: 0, secondStep: "ended" } }])
    const back = await signIn({ ...pia, password: "what the taker chose" })
    expect([(await callProcedure(back, "me.get")).status, await passkeys(back)]).toEqual([200, 0])
  })
})

describe("an approved code for another device", () => {
  const code = async () =>
    (await (await service.browser().post("/api/auth/device/code", { client_id: "docket-cli" })).json()) as {
      user_code: string
      device_code: string
    }
  const allowedBy = async (browser: TeamBrowser) => {
    const { user_code, device_code } = await code()
    expect((await browser.get(`/api/auth/device?user_code=${user_code}`)).status).toBe(200)
    expect((await browser.post("/api/auth/device/approve", { userCode: user_code })).status).toBe(200)
    return device_code
  }
  const claim = async (device_code: string) => {
    const grant_type = "urn:ietf:params:oauth:grant-type:device_code"
    const asked = { grant_type, device_code, client_id: "docket-cli" }
    return (await service.browser().post("/api/auth/device/token", asked)).status
  }

  it("signs in, unless its approver's sign-ins have ended meanwhile", async () => {
    const dina = await join("Dina", "member")
    expect(await claim(await allowedBy(dina.browser))).toBe(200)
    const [a, b, c, d] = [
      await allowedBy(dina.browser),
      await allowedBy(dina.browser),
      await allowedBy(dina.browser),
      await allowedBy(owner),
    ]
    expect((await callProcedure(dina.browser, "team.endOtherSignIns")).status).toBe(200)
    expect(await claim(a)).toBe(400)
    const again = await allowedBy(dina.browser)
    const changed = { currentPassword: dina.password, newPassword: "another one of Dina" }
    expect((await dina.browser.post("/api/auth/change-password", changed)).status).toBe(200)
    expect([await claim(b), await claim(again)]).toEqual([400, 400])
    const kept = await allowedBy(await signIn({ ...dina, password: changed.newPassword }))
    expect((await reset(await resetSecret(owner, dina.person))).status).toBe(200)
    expect([await claim(c), await claim(kept)]).toEqual([400, 400])
    const last = await allowedBy(await signIn({ ...dina, password: "what the taker chose" }))
    expect((await callProcedure(owner, "team.remove", { person: dina.person })).status).toBe(200)
    expect(await claim(last)).toBe(400)
    // What other users allowed stays valid.
    expect(await claim(d)).toBe(200)
  })
})

describe("a request that was held back", () => {
  const hold = (as: TeamBrowser, route: string, body: object) =>
    holdRequest(service.url + route, {
      headers: { cookie: as.cookie(), "sec-fetch-site": "same-origin", origin: new URL(service.url).origin },
      body,
    })

  it("does nothing once its sender is removed or demoted", async () => {
    const member = await join("Mo", "member")
    const admin = await join("Hal", "admin")
    const routes = [
      ["/api/trpc/team.invite", { email: "hal@example.com", role: "admin" }],
      ["/api/trpc/team.setRole", { person: member.person, role: "admin" }],
      ["/api/trpc/team.resetLink", { person: member.person }],
      ["/api/trpc/team.createKey", { name: "held", role: "admin" }],
      ["/api/trpc/webhook.create", { name: "held", url: "https://hooks.example.org/x", events: ["session.idle"] }],
      ["/api/tokens", { name: "held" }],
    ] as const
    for (const end of ["setRole", "remove"] as const) {
      // The caller's identity is cached by now.
      await callProcedure(admin.browser, "me.get")
      const held = await Promise.all(routes.map(([route, body]) => hold(admin.browser, route, body)))
      const { person } = admin
      expect(
        (await callProcedure(owner, `team.${end}`, { person, ...(end === "setRole" && { role: "member" }) })).status,
      ).toBe(200)
      const answers = await Promise.all(held.map((each) => each.finish()))
      expect([end, ...answers.map(({ status }) => status)]).toEqual([
        end,
        ...routes.map(() => (end === "remove" ? 401 : 403)),
      ])
      if (end === "setRole") await callProcedure(owner, "team.setRole", { person, role: "admin" })
    }
    for (const name of ["team.invitations", "team.keys", "team.tokens", "webhook.list"])
      expect([name, (await callProcedure(owner, name)).data]).toEqual([
        name,
        expect.not.arrayContaining([expect.objectContaining({ name: "held" })]),
      ])
    expect(JSON.stringify((await callProcedure(owner, "team.invitations")).data)).not.toContain("hal@example.com")
  })

  it("does nothing once the sign-in that sent it has ended", async () => {
    const thief = await signIn(ada)
    await callProcedure(thief, "me.get")
    const held = await hold(thief, "/api/trpc/team.invite", { email: "thief@example.com", role: "owner" })
    expect((await callProcedure(owner, "team.endOtherSignIns")).status).toBe(200)
    expect((await held.finish()).status).toBe(401)
  })
})
