import { createKeyedQueue, type Tenants } from "@docket/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createProgramTokens } from "./program-tokens.ts"
import { startTeamService, type TeamBrowser, type TeamService } from "./test/start-team-service.ts"
import { callProcedure, joinTeam } from "./test/team-calls.ts"

let service: TeamService
let owner: TeamBrowser

beforeAll(async () => {
  service = await startTeamService()
  owner = await service.owner()
})
afterAll(() => service.remove())

interface Made {
  id: string
  token: string
  by?: object
}

async function make(as: TeamBrowser, name: string): Promise<Made> {
  const response = await as.post("/api/tokens", { name })
  expect(response.status).toBe(201)
  return (await response.json()) as Made
}

const bearer = ({ token }: Made) => ({ authorization: `Bearer ${token}` })
const todos = async (made: Made) => (await service.browser().get("/v1/todos", bearer(made))).status

describe("a token for /v1", () => {
  it("names its maker and ends with their removal, others' tokens stay", async () => {
    const admin = await joinTeam(service, owner, "Bob", "admin")
    const [his, hers] = [await make(admin.browser, "of Bob"), await make(owner, "of Ada")]
    const by = { person: admin.person, name: "Bob" }
    expect(his.by).toMatchObject(by)
    expect((await callProcedure(owner, "team.tokens")).data).toMatchObject([
      { id: hers.id, by: { name: "Ada" } },
      { id: his.id, by },
    ])
    const listed = (await (await owner.get("/api/tokens")).json()) as { tokens: Made[] }
    expect(listed.tokens).toMatchObject([
      { id: hers.id, by: { name: "Ada" } },
      { id: his.id, by },
    ])
    const program = service.browser()
    const planned = { schedule: "weekly", message: "summarise the week" }
    expect((await program.post("/v1/schedules", planned, bearer(his))).status).toBe(201)
    expect([await todos(his), await todos(hers)]).toEqual([200, 200])

    const removed = await callProcedure(owner, "team.remove", { person: admin.person })
    expect(removed.data).toMatchObject({ tokens: 1, keys: 0, paused: 1 })
    expect([await todos(his), await todos(hers)]).toEqual([401, 200])
    const left = (await callProcedure(owner, "team.tokens")).data as Made[]
    expect(left.map(({ id }) => id)).toEqual([hers.id])
    const { data } = await callProcedure(owner, "audit.list", { limit: 1, act: "person.removed" })
    expect(data).toMatchObject({ items: [{ targets: { person: admin.person }, facts: { tokens: 1, paused: 1 } }] })
  })

  it("created with the service's own token has no owner and stays", async () => {
    const headers = { authorization: `Bearer ${service.token}` }
    const response = await service.browser().post("/api/tokens", { tenant: "local", name: "of the operator" }, headers)
    const made = (await response.json()) as Made
    expect(made.by).toBeUndefined()
    const tokens = (await callProcedure(owner, "team.tokens")).data as Made[]
    expect(tokens.find(({ id }) => id === made.id)).toMatchObject({ by: null })
  })
})

it("a token created during its maker's removal is refused or revoked", async () => {
  const rows = new Map<string, Awaited<ReturnType<Tenants["createToken"]>>["info"]>()
  const people = new Set(["bob"])
  const workspace = "local"
  const inOrder = createKeyedQueue()
  const tokens = createProgramTokens({
    inOrder,
    memberships: {
      ofPerson: async (person) =>
        people.has(person) ? [{ id: "m", workspace, person, role: "admin" as const, since: 0 }] : [],
    },
    tenants: {
      async createToken({ tenantID, name, by }) {
        const info = {
          id: `tok_${rows.size}`,
          tenantID,
          name,
          time: { created: 0, used: null, revoked: null },
          ...(by && { by }),
        }
        rows.set(info.id, info)
        return { token: "atr_", info }
      },
      listTokens: async () => [...rows.values()],
      async revokeToken(id) {
        const row = rows.get(id)
        if (row === undefined) throw new Error(`no ${id}`)
        const revoked = { ...row, time: { ...row.time, revoked: 1 } }
        rows.set(id, revoked)
        return revoked
      },
    },
  })
  const make = () => tokens.create({ tenantID: workspace, name: "ci", by: { person: "bob", workspace } })
  const early = make()
  const removal = inOrder(workspace, async () => {
    const ended = await tokens.endOf(workspace, "bob")
    people.delete("bob")
    return ended
  })
  const late = make()
  expect((await Promise.allSettled([early, removal, late])).map(({ status }) => status)).toEqual([
    "fulfilled",
    "fulfilled",
    "rejected",
  ])
  expect(await removal).toHaveLength(1)
  expect([...rows.values()].map(({ time }) => time.revoked)).toEqual([1])
})
