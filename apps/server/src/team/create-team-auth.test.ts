import { expect, it } from "vitest"
import type { Accounts } from "./create-accounts.ts"
import { createTeamAuth } from "./create-team-auth.ts"
import { createIdentityCache } from "./identity-cache.ts"
import type { Memberships } from "./memberships.ts"

it("a sign-in token works as a bearer token until the sign-in ends", async () => {
  let now = 1_000
  const clock = () => now
  const session = { id: "sign-in", expiresAt: new Date(60_000) }
  const found = { session, user: { id: "ada", name: "Ada" } }
  const internalAdapter = { findSession: async (token: string) => (token === "known" ? found : null) }
  const auth = await createTeamAuth({
    // Objects with only the fields that are read.
    accounts: {
      $context: Promise.resolve({ authCookies: { sessionToken: { name: "docket" } }, internalAdapter }),
    } as unknown as Accounts,
    memberships: {
      ofPerson: async (person: string) => [{ workspace: "local", person, role: "member" }],
    } as unknown as Memberships,
    cache: createIdentityCache(clock),
    identifyKey: async () => null,
    local: {
      cookieName: "docket",
      identify: () => null,
      createLoginCode: () => "",
      redeemLoginCode: async () => null,
      endLogin: async () => {},
    },
    clock,
  })
  const asked = async (token: string) => (await auth.identify({ headers: { authorization: `Bearer ${token}` } }))?.name
  expect(await asked("known")).toBe("Ada")
  expect(await asked("other")).toBeUndefined()
  now = 60_000
  expect(await asked("known")).toBeUndefined()
})
