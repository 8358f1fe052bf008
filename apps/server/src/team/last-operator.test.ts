import { afterAll, beforeAll, expect, it } from "vitest"
import { ada, adasSignIn, startTeamService, type TeamBrowser, type TeamService } from "./test/start-team-service.ts"
import { callProcedure, joinTeam } from "./test/team-calls.ts"

let service: TeamService
let owner: TeamBrowser

beforeAll(async () => {
  service = await startTeamService()
  owner = await service.owner()
})
afterAll(() => service.remove())

const setOperator = (as: TeamBrowser, email: string, isOperator: boolean, headers?: Record<string, string>) =>
  callProcedure(as, "workspace.setOperator", { email, isOperator }, headers)

const asOperator = () => ({ authorization: `Bearer ${service.token}` })

const refusal =
  "Ada is the last one who runs this service. Let somebody else run it first: docket team operator add EMAIL."

it("the last operator cannot be removed, even with the token file", async () => {
  for (const answer of [
    await setOperator(owner, ada.email, false),
    await setOperator(service.browser(), ada.email, false, asOperator()),
  ])
    expect([answer.status, answer.code, answer.message]).toEqual([409, "last_operator", refusal])
})

it("the last operator cannot leave, lose or remove their last workspace", async () => {
  const bob = await joinTeam(service, owner, "Bob", "owner")
  const { person } = (await callProcedure(owner, "me.get")).data as { person: string }
  for (const [as, name, input] of [
    [bob.browser, "team.remove", { person }],
    [owner, "team.leave", undefined],
  ] as const)
    expect([name, (await callProcedure(as, name, input)).message]).toEqual([name, refusal])
  const { id } = (await callProcedure(owner, "workspace.create", { name: "Hers" })).data as { id: string }
  // Ada is still in her other workspace.
  expect((await callProcedure(bob.browser, "team.remove", { person })).status).toBe(200)
  expect((await callProcedure(owner, "workspace.remove", { name: "Hers" })).message).toBe(refusal)
  // An operator who cannot sign in does not count.
  const zoe = await joinTeam(service, owner, "Zoe", "member")
  expect((await setOperator(owner, zoe.email, true)).status).toBe(200)
  expect((await callProcedure(owner, "team.remove", { person: zoe.person })).status).toBe(200)
  expect((await setOperator(owner, ada.email, false)).message).toBe(refusal)
  expect((await setOperator(owner, bob.email, true)).status).toBe(200)
  expect((await callProcedure(owner, "workspace.remove", { name: "Hers" })).status).toBe(200)
  expect((await callProcedure(bob.browser, "workspace.all")).data).not.toContainEqual(expect.objectContaining({ id }))
})

it("when two operators remove each other at once, one stays", async () => {
  const bob = service.browser()
  await bob.post("/api/auth/sign-in/email", { email: "bob@example.org", password: "Bob has a password" })
  const dan = await joinTeam(service, bob, "Dan", "member")
  expect((await setOperator(bob, dan.email, true)).status).toBe(200)
  await setOperator(bob, ada.email, false)
  const both = await Promise.all([
    setOperator(bob, dan.email, false),
    setOperator(dan.browser, "bob@example.org", false),
  ])
  expect(both.filter(({ status }) => status === 200)).toHaveLength(1)
})

it("a workspace named Operators is like others: people can leave it", async () => {
  const made = await callProcedure(
    service.browser(),
    "workspace.create",
    { name: "Operators", owner: ada.email },
    asOperator(),
  )
  expect((made.data as { id: string }).id).toBe("operators")
  const first = service.browser()
  await first.post("/api/auth/sign-in/email", adasSignIn)
  await callProcedure(first, "workspace.switch", { workspace: "operators" })
  const eve = await joinTeam(service, first, "Eve", "member")
  expect((await callProcedure(first, "team.remove", { person: eve.person })).status).toBe(200)
})
