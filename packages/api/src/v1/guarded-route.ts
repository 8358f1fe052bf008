import type { AuditRule, Capability } from "@docket/core/operations"
import { createRoute, type RouteConfig } from "@hono/zod-openapi"
import { requires } from "../http/guarded-routes.ts"
import { refuseUnknown } from "./refuse-unknown.ts"

/** A route that names what it takes to be served, in its description too. */
export type GuardedRoute = RouteConfig & { "x-capability": Capability }

/**
 * Defines a route of `/v1`. Who lacks the capability is refused before anything else of the request is looked at, and
 * parameters and keys that the route does not know are refused by name. One that
 * changes something says what is written down of it.
 */
export function guardedRoute<P extends string, R extends Omit<RouteConfig, "path"> & { path: P }>(
  capability: Capability,
  config: R,
  ...[audit]: R["method"] extends "get" ? [] : [AuditRule]
): R & { "x-capability": Capability } {
  const { middleware = [] } = config
  const known = refuseUnknown(config.request ?? {})
  const route = createRoute<P, R>({
    ...config,
    middleware: [requires(capability, audit), ...[middleware].flat(), known],
  })
  return { ...route, "x-capability": capability } as const
}
