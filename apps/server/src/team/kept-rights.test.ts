import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startTeamService, type TeamBrowser, type TeamService } from "./test/start-team-service.ts"
import { callProcedure, joinTeam } from "./test/team-calls.ts"

let service: TeamService
let owner: TeamBrowser

beforeAll(async () => {
  service = await startTeamService()
  owner = await service.owner()
})
afterAll(() => service.remove())

const join = (name: string, role: string) => joinTeam(service, owner, name, role)

async function makeKey(as: TeamBrowser, wanted: object): Promise<{ authorization: string }> {
  const { data } = await callProcedure(as, "team.createKey", { name: "found", ...wanted })
  return { authorization: `Bearer ${(data as { key: string }).key}` }
}

describe("who finds a key", () => {
  it("makes no token for /v1 with it, which would not end with the key", async () => {
    const limited = await makeKey(owner, { role: "admin", capabilities: ["keys.manage"], days: 1 })
    const made = await service.browser().post("/api/tokens", { name: "for good" }, limited)
    expect([made.status, await made.text()]).toEqual([403, expect.stringContaining("role_forbidden")])
  })

  it("makes nobody a member or more with it, themselves least of all", async () => {
    const friend = await join("Frieda", "viewer")
    for (const wanted of [{ role: "admin", capabilities: ["people.manage"] }, { role: "owner" }]) {
      const key = await makeKey(owner, wanted)
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
