import type { AuditRule, Capability } from "@docket/core/operations"
import { auditedBy, requiredBy } from "../guarded-routes.ts"
import { createRoutes, type RoutesDeps } from "../routes.ts"

/** Each plain route as Hono has it, `GET /api/tokens`, with what it takes; null for one that takes nothing. */
export function routeAccess(deps: RoutesDeps): Map<string, Capability | null> {
  const access = new Map<string, Capability | null>()
  for (const { method, path, handler } of createRoutes(deps).routes) {
    const name = `${method} ${path}`
    access.set(name, access.get(name) ?? requiredBy(handler) ?? null)
  }
  return access
}

/** What is written down of each plain route that takes a capability; undefined where nothing is said of it. */
export function auditedRoutes(deps: RoutesDeps): Map<string, AuditRule | undefined> {
  const audited = new Map<string, AuditRule | undefined>()
  for (const { method, path, handler } of createRoutes(deps).routes)
    if (requiredBy(handler) !== undefined) audited.set(`${method} ${path}`, auditedBy(handler))
  return audited
}
