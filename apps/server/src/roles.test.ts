import { appRouter } from "@docket/api"
import { routeAccess } from "@docket/api/test/route-access"
import { drawn } from "@docket/config/sampling"
import { Role } from "@docket/core/schema"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { z } from "zod"
import { type Call, callsWithID, callsWithoutID } from "./test/calls-with-id.ts"
import { type IdKind, idKinds, missingID } from "./test/id-kinds.ts"
import { anonymous } from "./test/known-ids.ts"
import { readRows } from "./test/read-rows.ts"
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

interface GuardedCall extends Call {
  capability: string
}

let service: Awaited<ReturnType<typeof startRoleService>>
let calls: GuardedCall[]
/** One id of each kind, from the user's workspace and from another one. */
let own: Record<IdKind, string | number>
let foreign: Record<IdKind, string | number>

beforeAll(async () => {
  service = await startRoleService()
  calls = allCalls(
    JSON.parse((await service.send({ role: "viewer" }, { method: "GET", path: "/v1/openapi.json" })).body),
  )
  const firstOf = (tenantID: string) =>
    // The service has at least one of each kind.
    Object.fromEntries(kinds.map((kind) => [kind, service.ids.of(tenantID, kind)[0]])) as typeof own
  own = firstOf("local")
  foreign = firstOf("acme")
})
afterAll(() => service.remove())

const Meta = z.object({ capability: z.string() })
// The flat record is typed like the nested routers, but it contains procedures.
const flat = appRouter._def.procedures as unknown as Record<string, { _def: { meta: unknown } }>

/** Calls with a method that no route of schedules has: they have the routes' capability too. */
const otherMethods = ["/v1/schedules/:id", "/v1/schedules/:id/runs"].map((path): Call => {
  const route = `ALL ${path}`
  return { route, name: route, kind: null, request: () => ({ method: "PUT", path: path.replace(":id", "900001") }) }
})

function allCalls(document: unknown): GuardedCall[] {
  const routes = routeAccess(service.deps)
  const all = [...callsWithID(document, service.ids.beside()), ...callsWithoutID(document), ...otherMethods]
  return all.map((call) => {
    const procedure = flat[call.route]
    if (procedure !== undefined) return { ...call, ...Meta.parse(procedure._def.meta) }
    const address = call.route.replaceAll(/\{(\w+)\}/g, ":$1")
    const route = routes.has(address) ? address : address.replace(/^\w+/, "ALL")
    return { ...call, route, ...Meta.parse({ capability: routes.get(route) }) }
  })
}

/** The calls without duplicates, by name. */
const routesOf = (list: GuardedCall[]) => [...new Map(list.map((call) => [call.name, call])).values()]

/** The weakest role with the capability; null when no role has it. */
const weakestWith = (capability: string) => ladder.find((role) => isPromised(role, capability)) ?? null

const rows = () => readRows(service.file, "local").text + readRows(service.file, "acme").text

describe("roles", () => {
  it("are tried on every procedure and every route that takes a capability", () => {
    const guarded = [...routeAccess(service.deps)].flatMap(([name, capability]) => (capability === null ? [] : [name]))
    const known = [...Object.keys(flat), ...guarded]
    // A number in a path is of one kind only, so it identifies the route.
    expect([...new Set(calls.map(({ route }) => route))].sort()).toEqual(known.toSorted())
  })

  it("need for each procedure and route the recorded capability", async () => {
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
          answers.add(kind === null ? body : anonymous({ status, body }, id).body)
        }
        expect([role, call.name, answers.size]).toEqual([role, call.name, 1])
        const [said = ""] = answers
        const who = weakestWith(call.capability)
        expect(said).toContain(who === null ? "Only who runs the service may" : `${who}`)
      }
    }
    expect(rows() === before).toBe(true)
  })

  it("let a key that only reads change nothing", async () => {
    const before = rows()
    for (const call of calls) {
      if (!["read", "self"].includes(call.capability)) continue
      const id = call.kind === null ? "" : own[call.kind]
      const { status } = await service.send({ role: "owner", limitedTo: ["read"] }, call.request(id))
      expect(`${call.name} ${status}`).not.toBe(`${call.name} 403`)
      expect(rows() === before, call.name).toBe(true)
    }
  })

  it("see another tenant's items as missing, even with permission", async () => {
    for (const role of ladder) {
      for (const call of routesOf(calls)) {
        if (!isPromised(role, call.capability) || call.kind === null) continue
        const [theirs, missing] = [foreign[call.kind], missingID(call.kind)]
        const toTheirs = await service.send({ role }, call.request(theirs))
        const toMissing = await service.send({ role }, call.request(missing))
        expect([role, call.name, anonymous(toTheirs, theirs)]).toEqual([role, call.name, anonymous(toMissing, missing)])
        expect(`${role} ${call.name} ${toTheirs.status}`).not.toBe(`${role} ${call.name} 403`)
        expect(toTheirs.status).toBeLessThan(500)
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
        const { capability } = call
        const hasRole = isPromised(who.role, capability) || (who.isOperator && weakestWith(capability) === null)
        const mayDo = hasRole && (who.limitedTo.includes(capability) || capability === "self")
        expect(`${call.name} ${status === 403}`).toBe(`${call.name} ${!mayDo}`)
      }),
      drawn(1_500, 400),
    )
  })

  it("allow the lowest permitted role to act on its own items", async () => {
    for (const call of calls) {
      const role = weakestWith(call.capability)
      const who = role === null ? ({ role: "owner", isOperator: true } as const) : { role }
      const id = call.kind === null ? "" : await service.ids.own(call.kind)
      const { status, body } = await service.send(who, call.request(id))
      expect(`${call.name} ${status === 403 ? body : "may"}`).toBe(`${call.name} may`)
      expect(status, `${call.name} ${body}`).toBeLessThan(500)
    }
    expect(service.logged).toEqual([])
  })
})
