import type { Identity } from "@docket/api"
import { expect, it } from "vitest"
import { createProgramKeys } from "./program-keys.ts"
import { createWithRights } from "./rights-now.ts"
import { openTables } from "./test/open-tables.ts"

/** Ada in the first workspace, with her keys, on separate tables. */
async function setUp() {
  const { tables, accounts, context, people, memberships, inOrder, person: join } = await openTables()
  const person = await join("Ada", "owner")
  const keys = createProgramKeys({
    accounts,
    context,
    people,
    memberships,
    withRights: createWithRights({ memberships, inOrder }),
    perKey: 60_000,
    changed: () => undefined,
  })
  const caller = { person, workspace: "local" }
  const ada: Identity = { caller, name: "Ada", role: "owner", via: "login", credentialID: "s" }
  return { tables, keys, ada, person, memberships, inOrder }
}

const outcomes = async (made: Promise<unknown>[]) =>
  (await Promise.allSettled(made)).map((each) => (each.status === "fulfilled" ? "made" : each.reason.code)).sort()

it("the key limit holds when many keys are created at once", async () => {
  const { tables, keys, ada, person } = await setUp()
  const now = new Date()
  const metadata = JSON.stringify({ workspace: "local", role: "viewer" })
  for (let at = 0; at < 199; at++) {
    const row = { id: `k${at}`, key: `hash${at}`, referenceId: person, metadata, createdAt: now, updatedAt: now }
    await tables.client.authApiKey.create?.({ data: row })
  }
  const made = Array.from({ length: 3 }, (_, at) => keys.create(ada, { name: `key ${at}`, role: "viewer" }))
  expect(await outcomes(made)).toEqual(["made", "too_many_keys", "too_many_keys"])
})

it("a key created during its owner's removal is refused or removed", async () => {
  const { keys, ada, person, memberships, inOrder } = await setUp()
  const early = keys.create(ada, { name: "early", role: "viewer" })
  const removed = inOrder("local", async () => {
    const [membership] = await memberships.ofPerson(person)
    await memberships.remove(membership?.id ?? "")
    await keys.removeOf("local", person)
  })
  const late = keys.create(ada, { name: "late", role: "viewer" })
  expect(await outcomes([early, late])).toEqual(["made", "role_forbidden"])
  await removed
  // The user joins again, but none of their keys works again.
  await memberships.add({ workspace: "local", person, role: "owner" }, new Date())
  expect(await keys.list(ada)).toEqual([])
})
