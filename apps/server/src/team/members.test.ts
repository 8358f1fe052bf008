import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ada, startTeamService, type TeamBrowser, type TeamService } from "./test/start-team-service.ts"
import { callProcedure, joinTeam } from "./test/team-calls.ts"

let service: TeamService
let owner: TeamBrowser

beforeAll(async () => {
  service = await startTeamService()
  owner = await service.owner()
})
afterAll(() => service.remove())

/** Calls a procedure of the team. */
const call = (as: TeamBrowser, name: string, input?: object, headers?: Record<string, string>) =>
  callProcedure(as, `team.${name}`, input, headers)

const join = (name: string, role: string) => joinTeam(service, owner, name, role)

interface Made {
  id: string
  url: string
}

async function invite(email: string, role: string): Promise<Made & { secret: string }> {
  const { status, data } = await call(owner, "invite", { email, role })
  expect(status).toBe(200)
  const made = data as Made
  return { ...made, secret: made.url.split("#")[1] ?? "" }
}

const sessions = "/api/trpc/session.list?input=%7B%7D"

describe("an invitation", () => {
  it("admits one person once, with its role", async () => {
    const { secret } = await invite("Bob@Example.org", "reviewer")
    const bob = service.browser()
    const look = await bob.post("/api/auth/invitation/look", { secret })
    expect(await look.json()).toEqual({
      workspace: "Docket",
      email: "bob@example.org",
      role: "reviewer",
      hasAccount: false,
    })
    const weak = await bob.post("/api/auth/invitation/accept", { secret, name: "Bob", password: "short" })
    expect(weak.status).toBe(400)
    const good = { secret, name: "Bob", password: "a long enough one" }
    const both = await Promise.all(
      [bob, service.browser()].map((each) => each.post("/api/auth/invitation/accept", good)),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404])
    const { data } = await call(owner, "members")
    expect(data).toMatchObject([
      { name: "Ada", role: "owner", isYou: true },
      { name: "Bob", email: "bob@example.org", role: "reviewer", isYou: false },
    ])
    expect((await call(owner, "invite", { email: "BOB@example.org", role: "admin" })).code).toBe("already_member")
  })

  it("looks the same when cancelled, replaced or never created", async () => {
    const first = await invite("carol@example.org", "member")
    const second = await invite("CAROL@example.org", "viewer")
    expect((await call(owner, "invitations")).data).toMatchObject([
      { id: second.id, email: "carol@example.org", by: "Ada" },
    ])
    expect((await call(owner, "cancelInvitation", { invitation: second.id })).status).toBe(200)
    expect((await call(owner, "cancelInvitation", { invitation: second.id })).code).toBe("invitation_not_found")
    const answers = await Promise.all(
      [first.secret, second.secret, "never-made"].map(async (secret) => {
        const response = await service.browser().post("/api/auth/invitation/look", { secret })
        return [response.status, await response.text()]
      }),
    )
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]?.[0]).toBe(404)
  })

  it("for an existing account requires that account's password", async () => {
    const { person, password } = await join("Dora", "viewer")
    expect((await call(owner, "remove", { person })).status).toBe(200)
    const { secret } = await invite("dora@example.org", "member")
    const stranger = await service
      .browser()
      .post("/api/auth/invitation/accept", { secret, password: "not hers at all" })
    expect(stranger.status).toBe(401)
    const back = service.browser()
    expect((await back.post("/api/auth/invitation/accept", { secret, password })).status).toBe(200)
    expect((await back.get(sessions)).status).toBe(200)
  })
})

describe("a role", () => {
  it("decides about inviting, removing and changing roles; only owners manage owners", async () => {
    const admin = await join("Edith", "admin")
    const viewer = await join("Frank", "viewer")
    expect((await call(viewer.browser, "invite", { email: "x@example.org", role: "viewer" })).status).toBe(403)
    expect((await call(viewer.browser, "remove", { person: admin.person })).status).toBe(403)
    expect((await call(admin.browser, "invite", { email: "x@example.org", role: "owner" })).code).toBe("role_forbidden")
    const members = (await call(owner, "members")).data as { person: string; name: string }[]
    const adaID = members.find(({ name }) => name === "Ada")?.person ?? ""
    for (const [name, input] of [
      ["remove", { person: adaID }],
      ["setRole", { person: adaID, role: "viewer" }],
      ["setRole", { person: admin.person, role: "owner" }],
      ["resetLink", { person: adaID }],
    ] as const)
      expect([name, (await call(admin.browser, name, input)).code]).toEqual([name, "role_forbidden"])
    expect((await call(admin.browser, "setRole", { person: viewer.person, role: "member" })).status).toBe(200)
    expect((await call(admin.browser, "remove", { person: "nobody" })).code).toBe("person_not_found")
  })

  it("of the last owner stays, even when two demote each other", async () => {
    const members = (await call(owner, "members")).data as { person: string; name: string }[]
    const adaID = members.find(({ name }) => name === "Ada")?.person ?? ""
    expect((await call(owner, "leave")).code).toBe("last_owner")
    expect((await call(owner, "setRole", { person: adaID, role: "admin" })).code).toBe("last_owner")
    const grace = await join("Grace", "member")
    expect((await call(owner, "setRole", { person: grace.person, role: "owner" })).status).toBe(200)
    const both = await Promise.all([
      call(owner, "setRole", { person: grace.person, role: "member" }),
      call(grace.browser, "setRole", { person: adaID, role: "member" }),
    ])
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1)
    const after = (await call(owner, "members")).data as { role: string; person: string }[]
    expect(after.filter(({ role }) => role === "owner")).toHaveLength(1)
    if (after.find(({ role }) => role === "owner")?.person === grace.person)
      await call(grace.browser, "setRole", { person: adaID, role: "owner" })
  })
})

it("when two owners demote each other at once, the first one wins", async () => {
  const one = await join("Ines", "member")
  const other = await join("Otto", "member")
  for (const { person } of [one, other]) await call(owner, "setRole", { person, role: "owner" })
  for (const [how, name] of [
    [{ role: "member" }, "setRole"],
    [{}, "remove"],
  ] as const) {
    const both = await Promise.all([
      call(one.browser, name, { person: other.person, ...how }),
      call(other.browser, name, { person: one.person, ...how }),
    ])
    expect(both.map(({ status }) => status < 300).sort()).toEqual([false, true])
    const loser = both[0].status < 300 ? other : one
    expect(both.find(({ status }) => status >= 300)?.status).toBeOneOf([401, 403])
    if (name === "setRole") await call(owner, "setRole", { person: loser.person, role: "owner" })
  }
})

describe("a removed person", () => {
  it("loses access, keys and open streams at once", async () => {
    const { browser, person } = await join("Heidi", "admin")
    const key = (await call(browser, "createKey", { name: "watcher", role: "viewer" })).data as { key: string }
    const stream = await browser.get("/api/trpc/event.subscribe?input=%7B%7D", { accept: "text/event-stream" })
    expect(stream.status).toBe(200)
    const ended = stream.text().then(
      () => "ended",
      () => "ended",
    )
    expect((await call(owner, "remove", { person })).status).toBe(200)
    expect((await browser.get(sessions)).status).toBe(401)
    const byKey = { authorization: `Bearer ${key.key}` }
    expect((await service.browser().get(sessions, byKey)).status).toBe(401)
    expect(await ended).toBe("ended")
  })
})

it("a role change ends the feed of that person only", async () => {
  const { browser, person } = await join("Olga", "member")
  const follow = async (from: typeof browser) => {
    const stream = await from.get("/api/trpc/event.subscribe?input=%7B%7D", { accept: "text/event-stream" })
    const reader = stream.body?.getReader()
    await reader?.read()
    return reader
  }
  const [own, other] = [await follow(browser), await follow(owner)]
  // Even if the role is restored at once: a page may have read its rights meanwhile.
  for (const role of ["viewer", "member"]) expect((await call(owner, "setRole", { person, role })).status).toBe(200)
  const readToEnd = async () => {
    while ((await own?.read())?.done === false);
  }
  await expect(readToEnd()).rejects.toThrow()
  expect((await browser.get(sessions)).status).toBe(200)
  // The stream of another user continues with its next ping.
  expect((await other?.read())?.done).toBe(false)
  await other?.cancel()
})

describe("a person", () => {
  it("sees their sign-ins and can end another one", async () => {
    const here = await join("Ivan", "member")
    const there = service.browser()
    await there.post("/api/auth/sign-in/email", { email: "ivan@example.org", password: here.password })
    const listed = (await call(here.browser, "signIns")).data as { id: string; isCurrent: boolean }[]
    expect(listed.map(({ isCurrent }) => isCurrent).sort()).toEqual([false, true])
    const other = listed.find(({ isCurrent }) => !isCurrent)?.id ?? ""
    expect((await call(owner, "endSignIn", { signIn: other })).code).toBe("sign_in_not_found")
    expect((await call(here.browser, "endSignIn", { signIn: other })).status).toBe(200)
    expect((await there.get(sessions)).status).toBe(401)
    expect((await here.browser.get(sessions)).status).toBe(200)
  })

  it("resets the password by a one-time link and is signed out everywhere", async () => {
    const { browser, person, password } = await join("Judy", "member")
    const { url } = (await call(owner, "resetLink", { person })).data as Made
    const secret = url.split("#")[1]
    const fresh = service.browser()
    expect((await fresh.post("/api/auth/reset", { secret, password: "quite another one" })).status).toBe(200)
    expect((await fresh.post("/api/auth/reset", { secret, password: "a third password" })).status).toBe(404)
    expect((await browser.get(sessions)).status).toBe(401)
    const sign = (given: string) =>
      service.browser().post("/api/auth/sign-in/email", { email: "judy@example.org", password: given })
    expect((await sign(password)).status).toBe(401)
    expect((await sign("quite another one")).status).toBe(200)
  })
})

describe("a link for a new password", () => {
  const reset = (secret: string | undefined) =>
    service.browser().post("/api/auth/reset", { secret, password: "what the taker chose" })

  it("made by an admin stops working once the person outranks them", async () => {
    const admin = await join("Rupert", "admin")
    const victim = await join("Peggy", "member")
    const { url } = (await call(admin.browser, "resetLink", { person: victim.person })).data as Made
    expect((await call(owner, "setRole", { person: victim.person, role: "owner" })).status).toBe(200)
    expect((await reset(url.split("#")[1])).status).toBe(404)
    expect((await victim.browser.get(sessions)).status).toBe(200)
    expect((await call(owner, "setRole", { person: victim.person, role: "viewer" })).status).toBe(200)
  })

  it("replaces older links for the person and cannot be created by key", async () => {
    const { person } = await join("Quinn", "member")
    const link = async () => ((await call(owner, "resetLink", { person })).data as Made).url.split("#")[1]
    const [first, second] = [await link(), await link()]
    expect((await reset(first)).status).toBe(404)
    expect((await reset(second)).status).toBe(200)
    expect((await reset(second)).status).toBe(404)
    const both = await Promise.all(await Promise.all([link(), link()]).then((links) => links.map(reset)))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404])
    const { key } = (await call(owner, "createKey", { name: "people", role: "owner" })).data as { key: string }
    const byKey = await call(service.browser(), "resetLink", { person }, { authorization: `Bearer ${key}` })
    expect(byKey.code).toBe("role_forbidden")
  })

  it("ends when the person changes the password, leaves or is removed", async () => {
    const { browser, person, password } = await join("Rolf", "member")
    const link = async () => ((await call(owner, "resetLink", { person })).data as Made).url.split("#")[1]
    const old = await link()
    const changed = { currentPassword: password, newPassword: "one that is only mine" }
    expect((await browser.post("/api/auth/change-password", changed)).status).toBe(200)
    expect((await reset(old)).status).toBe(404)
    const kept = await link()
    expect((await call(owner, "remove", { person })).status).toBe(200)
    expect((await reset(kept)).status).toBe(404)
  })
})

describe("an invitation whose maker", () => {
  const look = (secret: string | undefined) => service.browser().post("/api/auth/invitation/look", { secret })

  it("was removed or may not invite any more admits nobody", async () => {
    for (const end of ["remove", "demote"] as const) {
      const admin = await join(end === "remove" ? "Rita" : "Sybil", "admin")
      const { url } = (await call(admin.browser, "invite", { email: `${end}@example.org`, role: "admin" })).data as Made
      const secret = url.split("#")[1]
      expect((await look(secret)).status).toBe(200)
      const { person } = admin
      const done =
        end === "remove" ? call(owner, "remove", { person }) : call(owner, "setRole", { person, role: "member" })
      expect((await done).status).toBe(200)
      expect([end, (await look(secret)).status]).toEqual([end, 404])
      const taken = { secret, name: "Back again", password: "a way back in for me" }
      expect((await service.browser().post("/api/auth/invitation/accept", taken)).status).toBe(404)
    }
  })
})

describe("a key", () => {
  it("has its role's rights, is shown once, stored hashed and revocable", async () => {
    const made = (await call(owner, "createKey", { name: "reader", role: "viewer", days: 30 })).data as Made & {
      key: string
    }
    expect(made.key).toMatch(/^dkt_\w{40,}/)
    const [listed] = (await call(owner, "keys")).data as object[]
    expect(listed).toMatchObject({
      id: made.id,
      name: "reader",
      role: "viewer",
      by: { name: "Ada" },
      capabilities: null,
    })
    expect(JSON.stringify(listed)).not.toContain(made.key)
    const headers = { authorization: `Bearer ${made.key}` }
    const program = service.browser()
    expect((await program.get(sessions, headers)).status).toBe(200)
    expect((await call(program, "invite", { email: "y@example.org", role: "viewer" }, headers)).status).toBe(403)
    expect((await program.get(sessions, { authorization: `Bearer ${made.key.slice(0, -1)}` })).status).toBe(401)
    expect((await call(owner, "revokeKey", { key: made.id })).status).toBe(200)
    expect((await program.get(sessions, headers)).status).toBe(401)
    expect((await call(owner, "revokeKey", { key: made.id })).code).toBe("key_not_found")
  })

  it("is listed beside the workspace's /v1 tokens, with use and expiry", async () => {
    const headers = { authorization: `Bearer ${service.token}` }
    const make = async (tenant: string) =>
      (await (await service.browser().post("/api/tokens", { tenant, name: `of ${tenant}` }, headers)).json()) as {
        token: string
        id: string
      }
    const [own, other] = [await make("local"), await make("elsewhere")]
    const tokens = async () => (await call(owner, "tokens")).data as { id: string; used: number | null }[]
    expect(await tokens()).toEqual([
      { id: own.id, name: "of local", by: null, created: expect.any(Number), used: null },
    ])
    const todos = async () =>
      (await service.browser().get("/v1/todos", { authorization: `Bearer ${own.token}` })).status
    expect([await todos(), (await tokens())[0]?.used]).toEqual([200, expect.any(Number)])
    expect((await call(owner, "revokeToken", { token: other.id })).code).toBe("token_not_found")
    expect((await call(owner, "revokeToken", { token: own.id })).status).toBe(200)
    expect([await todos(), await tokens()]).toEqual([401, []])
    const member = await join("Mona", "member")
    expect((await call(member.browser, "tokens")).status).toBe(403)
  })

  it("is refused in an address and never exceeds its maker's role", async () => {
    const made = (await call(owner, "createKey", { name: "leaky", role: "viewer" })).data as Made & { key: string }
    expect((await service.browser().get(`/api/trpc/session.list?key=${made.key}`)).status).toBe(400)
    const admin = await join("Mallory", "admin")
    expect((await call(admin.browser, "createKey", { name: "crown", role: "owner" })).code).toBe("role_forbidden")
  })

  it("loses rights when its maker is demoted", async () => {
    const admin = await join("Niaj", "admin")
    const made = (await call(admin.browser, "createKey", { name: "strong", role: "admin" })).data as { key: string }
    const headers = { authorization: `Bearer ${made.key}` }
    const inviting = () => call(service.browser(), "invitations", undefined, headers)
    expect((await inviting()).status).toBe(200)
    await call(owner, "setRole", { person: admin.person, role: "viewer" })
    expect((await inviting()).status).toBe(403)
  })
})

it("the service's own token keeps working as its operator", async () => {
  const operator = { authorization: `Bearer ${service.token}` }
  const { data } = await call(service.browser(), "members", undefined, operator)
  expect(data).toContainEqual(expect.objectContaining({ email: ada.email, role: "owner", isYou: false }))
  expect((await call(service.browser(), "invite", { email: "z@example.org", role: "viewer" }, operator)).status).toBe(
    200,
  )
  const waiting = (await call(owner, "invitations")).data as { email: string; by: string }[]
  expect(waiting.find(({ email }) => email === "z@example.org")?.by).toBe("service")
})
