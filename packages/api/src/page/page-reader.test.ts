import type { Runtime } from "@docket/core"
import { localPerson, type Role } from "@docket/core/schema"
import { expect, it } from "vitest"
import type { Auth } from "../auth/auth.ts"
import { bearerToken, loginCookie } from "../auth/credentials.ts"
import { createPageReader } from "./page-reader.ts"

const user = { person: localPerson, workspace: "local" }
let role: Role = "viewer"
const auth: Auth = {
  cookieName: "docket",
  identify(request) {
    const { authorization } = request.headers
    const isKnown = authorization ? bearerToken(request) === "token" : loginCookie(request, "docket") === "secret"
    return isKnown ? { caller: user, name: "Ann", role, via: "login", credentialID: "1" } : null
  },
  createLoginCode: () => "",
  redeemLoginCode: async () => null,
  endLogin: async () => undefined,
}
/** A use case that answers whether the asker may see the configuration. */
const asks = async (_: unknown, asker: { may(capability: string): boolean }) => asker.may("settings.read")
const useCases = { session: {}, agent: { list: asks }, config: { get: asks } }
const callers: unknown[] = []
// Only the parts that the reader uses.
const runtime = { as: (caller: unknown) => callers.push(caller) && useCases } as unknown as Runtime
const asked: string[] = []
const ann = { ...user, name: "Ann", email: "ann@example.org", role: "viewer" as const, joined: 1, isYou: true }
let people = 1
const members = async () => Array.from({ length: people }, () => ann)
const workspaces = {
  runtime(id: string) {
    asked.push(id)
    return runtime
  },
}
const pages = createPageReader({ workspaces, auth, team: { members } })

it("pages read only as the signed-in person, in their workspace", async () => {
  for (const headers of [{ cookie: "other=1; docket=secret" }, { authorization: "Bearer token" }])
    expect((await pages.reads({ headers }))?.session).toBe(useCases.session)
  expect(callers).toEqual([user, user])
  expect(asked).toEqual(["local", "local"])
  for (const headers of [
    {},
    { cookie: "" },
    { cookie: "docket=old" },
    { authorization: "Bearer wrong", cookie: "docket=secret" },
  ])
    expect(await pages.reads({ headers })).toBeNull()
  expect(asked).toHaveLength(2)
})

it("the page knows the person, their refusals and a small team's members", async () => {
  const cookie = "docket=secret"
  const read = await pages.reader({ headers: { cookie } })
  expect(read?.me).toMatchObject({ ...user, name: "Ann", role: "viewer", hasTeam: true })
  expect(read?.me.refused.prompt).toContain("You are a viewer.")
  expect(read?.me.refused).not.toHaveProperty("read")
  expect(read?.members).toEqual([ann])
  people = 201
  expect((await pages.reader({ headers: { cookie } }))?.members).toBeNull()
  expect(await pages.reader({ headers: { cookie: "docket=old" } })).toBeNull()
  const alone = createPageReader({ workspaces, auth, team: null })
  expect(await alone.reader({ headers: { cookie } })).toMatchObject({ me: { hasTeam: false }, members: null })
})

it.each([
  ["viewer", false],
  ["member", true],
] as const)("the page of a %s reads agents and configuration as that role", async (asRole, mayRead) => {
  role = asRole
  const reads = await pages.reads({ headers: { cookie: "docket=secret" } })
  const answers = [await reads?.agent.list({ projectID: "prj" }), await reads?.config.get({})]
  expect(answers).toEqual([mayRead, mayRead])
})
