import type { AuditRule, Capability } from "@docket/core/operations"
import { auditedBy, requiredBy } from "../guarded-routes.ts"
import { createRoutes, type RoutesDeps } from "../routes.ts"

/** Each plain route as Hono has it, such as `GET /api/tokens`, with its capability; null for none. */
export function routeAccess(deps: RoutesDeps): Map<string, Capability | null> {
  const access = new Map<string, Capability | null>()
  for (const { method, path, handler } of createRoutes(deps).routes) {
    const name = `${method} ${path}`
    access.set(name, access.get(name) ?? requiredBy(handler) ?? null)
  }
  return access
}

/** The audit rule of each plain route with a capability; undefined for none. */
export function auditedRoutes(deps: RoutesDeps): Map<string, AuditRule | undefined> {
  const audited = new Map<string, AuditRule | undefined>()
  for (const { method, path, handler } of createRoutes(deps).routes)
    if (requiredBy(handler) !== undefined) audited.set(`${method} ${path}`, auditedBy(handler))
  return audited
}
