import type { Runtime } from "@docket/core"
import { localPerson } from "@docket/core/schema"
import { expect, it } from "vitest"
import type { Auth } from "../auth/auth.ts"
import { createPageReader } from "./page-reader.ts"

const auth: Auth = {
  cookieName: "docket",
  checkToken: (token) => token === "token",
  checkLogin: (secret) => secret === "secret",
  createLoginCode: () => "",
  redeemLoginCode: async () => null,
  endLogin: async () => undefined,
}
const session = {}
const callers: unknown[] = []
// Only what is read of it.
const runtime = { as: (caller: unknown) => callers.push(caller) && { session } } as unknown as Runtime
const user = { person: localPerson, workspace: "local" }
const read = createPageReader({ runtime, auth, user })

it("reads for whoever is signed in, and for nobody else", () => {
  expect(read({ headers: { cookie: "other=1; docket=secret" } })).toBe(session)
  expect(read({ headers: { authorization: "Bearer token" } })).toBe(session)
  expect(callers).toEqual([user])
  for (const headers of [
    {},
    { cookie: "" },
    { cookie: "docket=old" },
    { authorization: "Bearer wrong", cookie: "docket=secret" },
  ])
    expect(read({ headers })).toBeNull()
})
