import type { AuditRule, Capability } from "@docket/core/operations"
import { createRoute, type RouteConfig } from "@hono/zod-openapi"
import { requires } from "../http/guarded-routes.ts"
import { refuseUnknown } from "./refuse-unknown.ts"

/** A route that names its capability, in its description too. */
export type GuardedRoute = RouteConfig & { "x-capability": Capability }

/**
 * Defines a route of `/v1`. A caller without the capability is refused before the rest of the request is read. Unknown
 * parameters and keys are refused by name. A route that changes something has an audit rule.
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
