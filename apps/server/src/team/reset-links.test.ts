import type { Identity } from "@docket/api"
import type { Role } from "@docket/core/schema"
import { expect, it } from "vitest"
import { createInvitations } from "./invitations.ts"
import { createResetLinks } from "./reset-links.ts"
import { openTables } from "./test/open-tables.ts"

const as = (person: string, role: Role): Identity => ({
  caller: { person, workspace: "local" },
  name: person,
  role,
  via: "login",
  credentialID: "s",
})

async function setUp() {
  const parts = await openTables()
  const owner = await parts.person("Ada", "owner")
  const admin = await parts.person("Adam", "admin")
  const bob = await parts.person("Bob", "member")
  const links = createResetLinks(parts)
  const opens = (secret: string) =>
    links
      .use(secret, async () => undefined)
      .then(
        () => "opens",
        (error) => error.code,
      )
  return { ...parts, owner, admin, bob, links, oneTime: parts.links, opens }
}

it("a link does not open accounts beyond its maker's current rights", async () => {
  const { links, people, join, opens, admin, owner, bob, memberships } = await setUp()
  const early = await links.make(as(admin, "admin"), bob)
  // Joining ends earlier links. This one stands for a link that was made after that, but before the new membership was
  // written.
  await join(bob, "other", "viewer")
  expect(await opens(early.secret)).toBe("link_not_found")
  await expect(links.make(as(admin, "admin"), bob)).rejects.toThrow("opens more than this workspace")
  const [, elsewhere] = await memberships.ofPerson(bob)
  await memberships.remove(elsewhere?.id ?? "")
  await people.setOperator(bob, true)
  expect(await opens(early.secret)).toBe("link_not_found")
  await people.setOperator(bob, false)
  const [first] = await memberships.ofPerson(bob)
  await memberships.setRole(first?.id ?? "", "owner")
  expect(await opens(early.secret)).toBe("link_not_found")
  await memberships.setRole(first?.id ?? "", "member")
  // An operator may create it, as long as they are one.
  await people.setOperator(owner, true)
  await join(bob, "other", "viewer")
  const byOperator = await links.make(as(owner, "owner"), bob)
  await people.setOperator(owner, false)
  expect(await opens(byOperator.secret)).toBe("link_not_found")
  await people.setOperator(owner, true)
  expect(await opens(byOperator.secret)).toBe("opens")
  expect(await opens(byOperator.secret)).toBe("link_not_found")
})

it("of a simultaneous password reset and join, only one succeeds", async () => {
  const { links, context, people, memberships, inOrder, opens, join, owner, admin, bob } = await setUp()
  await join(owner, "other", "owner")
  const joined = () => undefined
  const invitations = createInvitations({ context, people, memberships, links, inOrder, joined, clock: Date.now })
  const { secret: invited } = await invitations.create(
    "other",
    { id: owner, name: "Ada" },
    { email: "bob@example.org", role: "member" },
  )
  const { secret } = await links.make(as(admin, "admin"), bob)
  const give = links
    .use(secret, async ({ person }) => {
      await people.reset(person, "what the taker chose", { withSecondStep: false })
    })
    .then(
      () => "opens",
      (error) => error.code,
    )
  const entered = invitations.accept(invited, { password: "a long password" }).then(
    () => "joined",
    (error) => error.code,
  )
  expect([
    ["opens", "wrong_password"],
    ["link_not_found", "joined"],
  ]).toContainEqual(await Promise.all([give, entered]))
  expect(await opens(secret)).toBe("link_not_found")
})

it("an invitation is refused when its maker is removed or demoted meanwhile", async () => {
  const { context, people, memberships, links, inOrder, admin } = await setUp()
  const joined = () => undefined
  const invitations = createInvitations({ context, people, memberships, links, inOrder, joined, clock: Date.now })
  const invite = (role: Role) =>
    invitations.create("local", { id: admin, name: "Adam" }, { email: `${role}@example.org`, role })
  const [own] = await memberships.ofPerson(admin)
  const demotion = inOrder("local", () => memberships.setRole(own?.id ?? "", "member"))
  await expect(invite("admin")).rejects.toMatchObject({ code: "role_forbidden" })
  await demotion
  const removed = inOrder("local", () => memberships.remove(own?.id ?? ""))
  await expect(invite("viewer")).rejects.toMatchObject({ code: "role_forbidden" })
  await removed
  expect(await invitations.list("local")).toEqual([])
  // An operator's token invites with the rights of an owner, but with its own name.
  await invitations.create("local", { id: null, name: "local" }, { email: "new@example.org", role: "owner" })
  expect(await invitations.list("local")).toMatchObject([{ by: "local" }])
})

it("proving an account's address removes the previous holder's keys and codes", async () => {
  const { people, tables, bob, admin } = await setUp()
  const now = new Date()
  const metadata = JSON.stringify({ workspace: "local", role: "member" })
  const { authApiKey, authDeviceCode } = tables.client
  for (const referenceId of [bob, admin]) {
    const row = { id: `k${referenceId}`, key: `hash ${referenceId}`, referenceId, metadata }
    await authApiKey.create?.({ data: { ...row, createdAt: now, updatedAt: now } })
    const code = {
      id: `d${referenceId}`,
      deviceCode: `d${referenceId}`,
      userCode: `u${referenceId}`,
      status: "approved",
    }
    await authDeviceCode.create?.({ data: { ...code, userId: referenceId, expiresAt: new Date(Date.now() + 60_000) } })
  }
  expect(await people.endUnproven(bob)).toBe(true)
  expect(await authApiKey.findMany?.({ where: {} })).toMatchObject([{ referenceId: admin }])
  expect(await authDeviceCode.findMany?.({ where: {} })).toMatchObject([{ userId: admin }])
})
