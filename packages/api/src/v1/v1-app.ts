import type { Tenant, TenantUseCases } from "@docket/core"
import type { OpenAPIHono } from "@hono/zod-openapi"
import type { Context } from "hono"
import type { Recorder } from "../audit/audit.ts"
import type { Identity } from "../auth/identity.ts"
import type { NodeEnv } from "../http/answer.ts"
import type { ImportLimit } from "../http/import-limit.ts"
import type { StreamLimit } from "../http/stream-limit.ts"
import type { GuardedRoute } from "./guarded-route.ts"

/** What every route of `/v1` has, after its bearer token was checked. */
export interface V1Env extends NodeEnv {
  Variables: {
    /** Its name is the token's name, which the history of changes shows. */
    identity: Identity
    recorder: Recorder | null
    /** Whether the token still opens the same, with the same role. For what goes on after the answer began. */
    isStillAllowed(): Promise<boolean>
    streams: StreamLimit
    /** Waits for something. Meanwhile the request does not count as one in progress. */
    apart<T>(wait: () => Promise<T>): Promise<T>
    imports: ImportLimit
    tenant: Tenant & TenantUseCases
  }
}

/** Takes any route, whatever it requires. */
declare const anyApp: OpenAPIHono<V1Env>

/** Takes only routes that name their capability, as `guardedRoute` makes them. */
export type V1App = Pick<OpenAPIHono<V1Env>, "use"> & {
  openapi<R extends GuardedRoute>(route: R, handler: Parameters<typeof anyApp.openapi<R>>[1]): unknown
}
export type V1Context = Context<V1Env>
