import { appRouter } from "@docket/api"
import { routeAccess } from "@docket/api/test/route-access"
import { drawn } from "@docket/config/sampling"
import { Role } from "@docket/core/schema"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { z } from "zod"
import { type IdKind, type IdRoute, idKinds, type Procedures, procedureRoutes, restRoutes } from "./test/id-routes.ts"
import { anonymous, missingID } from "./test/known-ids.ts"
import { readRows } from "./test/read-rows.ts"
import { routesWithoutID } from "./test/routes-without-id.ts"
import { startRoleService } from "./test/start-role-service.ts"

/** The promised capabilities of each role, independent of the code. A role also has those of all weaker roles. */
const promised: Record<string, readonly string[]> = {
  viewer: ["self", "account", "read"],
  reviewer: ["comment", "judge"],
  member: ["prompt", "answer", "merge", "undo", "todo.edit", "memory.edit", "schedule.edit", "share", "settings.read"],
  admin: [
    "sessions.manage",
    "shares.manage",
    "projects.manage",
    "settings.manage",
    "trust.manage",
    "providers.manage",
    "keys.manage",
    "people.manage",
    "limits.manage",
    "webhooks.manage",
    "audit.read",
  ],
  owner: ["workspace.remove"],
}
const ladder = ["viewer", "reviewer", "member", "admin", "owner"] as const
const isPromised = (role: Role, capability: string) =>
  ladder.slice(0, ladder.indexOf(role) + 1).some((lesser) => promised[lesser]?.includes(capability) === true)

const kinds = Object.keys(idKinds) as IdKind[]

interface Call {
  /** The procedure, or method and path as Hono has them. */
  route: string
  name: string
  capability: string
  /** The kind of its id; null for a call without an id. */
  kind: IdKind | null
  request(id: string | number): ReturnType<IdRoute["call"]>
}

let service: Awaited<ReturnType<typeof startRoleService>>
let calls: Call[]
/** One id of each kind, from the user's workspace and from another one. */
let own: Record<IdKind, string | number>
let foreign: Record<IdKind, string | number>

beforeAll(async () => {
  service = await startRoleService()
  calls = allCalls()
  const firstOf = (tenantID: string) =>
    // There is one of each kind.
    Object.fromEntries(kinds.map((kind) => [kind, service.ids.of(tenantID, kind)[0]])) as typeof own
  own = firstOf("local")
  foreign = firstOf("acme")
})
afterAll(() => service.remove())

const Meta = z.object({ capability: z.string() })
// The flat record is typed like the nested routers, but it contains procedures.
const flat = appRouter._def.procedures as unknown as Record<string, { _def: Procedures[string] & { meta: unknown } }>
const procedures: Procedures = Object.fromEntries(Object.entries(flat).map(([name, { _def }]) => [name, _def]))
const capabilityOf = new Map(Object.entries(flat).map(([name, { _def }]) => [name, Meta.parse(_def.meta).capability]))

/** Plain routes without an id of a tenant. */
const plain: { route: string; body?: object; as?: string }[] = [
  { route: "GET /api/tokens" },
  { route: "POST /api/tokens", body: {} },
  { route: "POST /api/tokens/revoke", body: { id: "nothing" } },
  { route: "GET /api/audit" },
  { route: "GET /api/tenants" },
  { route: "POST /api/tenants/remove", body: { tenant: "nobody" } },
  { route: "POST /api/login-code" },
  { route: "POST /api/logout" },
  { route: "GET /v1/todos" },
  { route: "POST /v1/todos", body: {} },
  { route: "PATCH /v1/todos", body: [] },
  { route: "GET /v1/memory/entries" },
  { route: "POST /v1/memory/entries", body: {} },
  { route: "GET /v1/schedules" },
  { route: "POST /v1/schedules", body: {} },
  { route: "GET /v1/runs" },
  { route: "GET /v1/search" },
  { route: "GET /v1/reviews" },
  { route: "GET /v1/shares" },
  // With a method that schedules do not have.
  { route: "ALL /v1/schedules/:id", as: "PUT /v1/schedules/900001" },
  { route: "ALL /v1/schedules/:id/runs", as: "PUT /v1/schedules/900001/runs" },
]

function allCalls(): Call[] {
  const routes = routeAccess(service.deps)
  const named = (route: string, capability: string | null | undefined) => {
    if (capability === null || capability === undefined) throw new Error(`${route} takes no capability`)
    return { route, capability }
  }
  const withID = [...procedureRoutes(service.ids.beside(), procedures, missingID), ...restRoutes()].map((route) => {
    const { path, method } = route.call("<id>")
    const of = path.startsWith("/api/trpc/")
      ? named(...procedureOf(route.name))
      : named(...plainOf(routes, `${method} ${path.split("?")[0]}`))
    return { ...of, name: route.name, kind: route.kind, request: route.call }
  })
  const withoutID = routesWithoutID(service.directory).map(({ name, input }) => {
    const query = input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(input))}`
    const isMutation = procedures[name]?.type === "mutation"
    const path = `/api/trpc/${name}${isMutation ? "" : query}`
    const request = () => ({ method: isMutation ? "POST" : "GET", path, body: input })
    return { ...named(...procedureOf(name)), name, kind: null, request }
  })
  const others = plain.map(({ route, body, as = route }) => {
    const [method = "", path = ""] = as.split(" ")
    return { ...named(route, routes.get(route)), name: route, kind: null, request: () => ({ method, path, body }) }
  })
  return [...withID, ...withoutID, ...others]
}

function procedureOf(name: string): [string, string | undefined] {
  const [route = ""] = name.split(" ")
  return [route, capabilityOf.get(route)]
}

/** The route in Hono that an address belongs to. */
function plainOf(routes: ReturnType<typeof routeAccess>, address: string): [string, string | null | undefined] {
  // Routes for all methods come after those for one method.
  const inOrder = [...routes].sort(
    ([left], [right]) => Number(left.startsWith("ALL")) - Number(right.startsWith("ALL")),
  )
  const found = inOrder.find(([name, capability]) => {
    if (capability === null) return false
    const [method = "", path = ""] = name.split(" ")
    const form = `${method === "ALL" ? "[A-Z]+" : method} ${path.replaceAll(/:\w+(\{[^/]*\})?/g, "[^/]+")}`
    return new RegExp(`^${form}$`).test(address)
  })
  return [found?.[0] ?? address, found?.[1]]
}

/** The calls without duplicates, by name. */
const routesOf = (list: Call[]) => [...new Map(list.map((call) => [call.name, call])).values()]

/** The weakest role with the capability; null when no role has it. */
const leastOf = (capability: string) => ladder.find((role) => isPromised(role, capability)) ?? null

const rows = () => readRows(service.file, "local").text + readRows(service.file, "acme").text

describe("roles", () => {
  it("are tried on every procedure and every route that takes a capability", () => {
    const guarded = [...routeAccess(service.deps)].flatMap(([name, capability]) => (capability === null ? [] : [name]))
    const known = [...Object.keys(flat), ...guarded]
    // A number in a path is of one kind only, so it identifies the route.
    expect([...new Set(calls.map(({ route }) => route))].sort()).toEqual(known.toSorted())
  })

  it("take for each procedure and route what was decided", async () => {
    const taken = [...new Set(calls.map(({ route, capability }) => `${route}  ${capability}`))].sort()
    await expect(`${taken.join("\n")}\n`).toMatchFileSnapshot("./test/access-record.txt")
  })

  it("get the same 403 for every id without permission; nothing changes", async () => {
    const before = rows()
    for (const role of ladder) {
      for (const call of routesOf(calls)) {
        if (isPromised(role, call.capability)) continue
        const { kind } = call
        const given = kind === null ? [""] : [own[kind], foreign[kind], missingID(kind)]
        const answers = new Set<string>()
        for (const id of given) {
          const { status, body } = await service.send({ role }, call.request(id))
          expect(`${role} ${call.name} ${status}`).toBe(`${role} ${call.name} 403`)
          answers.add(body)
        }
        expect([role, call.name, answers.size]).toEqual([role, call.name, 1])
        const [said = ""] = answers
        const who = leastOf(call.capability)
        expect(said).toContain(who === null ? "Only who runs the service may" : `${who}`)
      }
    }
    expect(rows() === before).toBe(true)
  })

  it("see another tenant's items as missing, even with permission", async () => {
    for (const role of ladder) {
      for (const call of routesOf(calls)) {
        if (!isPromised(role, call.capability) || call.kind === null) continue
        const [theirs, missing] = [foreign[call.kind], missingID(call.kind)]
        const to = await service.send({ role }, call.request(theirs))
        const none = await service.send({ role }, call.request(missing))
        expect([role, call.name, anonymous(to, theirs)]).toEqual([role, call.name, anonymous(none, missing)])
        expect(`${role} ${call.name} ${to.status}`).not.toBe(`${role} ${call.name} 403`)
        expect(to.status).toBeLessThan(500)
      }
    }
  })

  it("apply to keys too, which never exceed their own capabilities", async () => {
    const names = [...new Set(calls.map(({ capability }) => capability))]
    const some = fc.record({
      role: fc.constantFrom(...Role.options),
      limitedTo: fc.subarray(names),
      isOperator: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(some, fc.constantFrom(...calls), async (who, call) => {
        const { status } = await service.send(who, call.request(call.kind === null ? "" : missingID(call.kind)))
        const ofRole = isPromised(who.role, call.capability) || (who.isOperator && leastOf(call.capability) === null)
        const mayDo = ofRole && (who.limitedTo.includes(call.capability) || call.capability === "self")
        expect(`${call.name} ${status === 403}`).toBe(`${call.name} ${!mayDo}`)
      }),
      drawn(1_500, 400),
    )
  })

  it("allow the lowest permitted role to act on its own items", async () => {
    const ends = ({ name }: Call) =>
      Number(/DELETE|remove|replace|revert|invalidate|revoke|cancel|abort|logout/.test(name))
    const inOrder = routesOf(calls).sort((a, b) => ends(a) - ends(b))
    for (const call of inOrder) {
      const role = leastOf(call.capability)
      const who = role === null ? ({ role: "owner", isOperator: true } as const) : { role }
      const id = call.kind === null ? "" : await service.ids.own(call.kind)
      const { status, body } = await service.send(who, call.request(id))
      expect(`${call.name} ${status === 403 ? body : "may"}`).toBe(`${call.name} may`)
      expect(status, `${call.name} ${body}`).toBeLessThan(500)
    }
    expect(service.logged).toEqual([])
  })
})
