import type { Runtime } from "@docket/core"
import { localPerson } from "@docket/core/schema"
import { expect, it } from "vitest"
import type { Auth } from "../auth/auth.ts"
import { bearerToken, loginCookie } from "../auth/credentials.ts"
import { createPageReader } from "./page-reader.ts"

const user = { person: localPerson, workspace: "local" }
const auth: Auth = {
  cookieName: "docket",
  identify(request) {
    const { authorization } = request.headers
    const isKnown = authorization ? bearerToken(request) === "token" : loginCookie(request, "docket") === "secret"
    return isKnown ? { caller: user, name: "Ann", role: "viewer", via: "login", credentialID: "1" } : null
  },
  createLoginCode: () => "",
  redeemLoginCode: async () => null,
  endLogin: async () => undefined,
}
const session = {}
const callers: unknown[] = []
// Only what is read of it.
const runtime = { as: (caller: unknown) => callers.push(caller) && { session } } as unknown as Runtime
const asked: string[] = []
const workspaces = { runtime: (id: string) => (asked.push(id), runtime) }
const read = createPageReader({ workspaces, auth })

it("reads for whoever is signed in, in their workspace, and for nobody else", async () => {
  expect(await read({ headers: { cookie: "other=1; docket=secret" } })).toBe(session)
  expect(await read({ headers: { authorization: "Bearer token" } })).toBe(session)
  expect(callers).toEqual([user, user])
  expect(asked).toEqual(["local", "local"])
  for (const headers of [
    {},
    { cookie: "" },
    { cookie: "docket=old" },
    { authorization: "Bearer wrong", cookie: "docket=secret" },
  ])
    expect(await read({ headers })).toBeNull()
  expect(asked).toHaveLength(2)
})
