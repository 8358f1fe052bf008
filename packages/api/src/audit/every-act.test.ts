import type { AuditRule } from "@docket/core/operations"
import { expect, it } from "vitest"
import type { RoutesDeps } from "../http/routes.ts"
import { auditedRoutes } from "../http/test/route-access.ts"
import { appRouter } from "../router.ts"

// The flat record has the type of the nested routers, but it contains procedures.
const flat = appRouter._def.procedures as unknown as Record<
  string,
  { _def: { type: "query" | "mutation" | "subscription"; meta?: { audit?: AuditRule } } }
>

it("every changing procedure declares its audit entry or why there is none", () => {
  const mutations = Object.entries(flat).filter(([, { _def }]) => _def.type === "mutation")
  const silent = mutations.filter(([, { _def }]) => _def.meta?.audit === undefined).map(([name]) => name)
  expect(silent).toEqual([])
  expect(mutations.length).toBeGreaterThan(60)
})

it("procedures that only read declare no audit entry", () => {
  const reads = Object.entries(flat).filter(([, { _def }]) => _def.type !== "mutation")
  expect(reads.filter(([, { _def }]) => _def.meta?.audit !== undefined).map(([name]) => name)).toEqual([])
})

it("every changing plain route declares an audit rule, no reading route does", () => {
  // The routes are only listed, never called.
  const routes = auditedRoutes({ links: {}, auth: {}, tenants: {}, ingress: {} } as RoutesDeps)
  const isRead = (name: string) => /^(?:GET|ALL) /.test(name)
  expect([...routes].flatMap(([name, rule]) => (!isRead(name) && rule === undefined ? [name] : []))).toEqual([])
  expect([...routes].flatMap(([name, rule]) => (isRead(name) && rule !== undefined ? [name] : []))).toEqual([])
  expect([...routes.keys()].filter((name) => !isRead(name)).length).toBeGreaterThan(20)
})

it("a procedure without an audit entry gives a reason in words", () => {
  const rules = Object.values(flat).flatMap(({ _def }) => _def.meta?.audit ?? [])
  const reasons = rules.flatMap((rule) => ("because" in rule ? [rule.because] : []))
  expect(reasons.filter((words) => words.split(" ").length < 4)).toEqual([])
})
