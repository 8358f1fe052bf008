import type { Tenant, TenantUseCases } from "@docket/core"
import type { OpenAPIHono } from "@hono/zod-openapi"
import type { Context } from "hono"
import type { Identity } from "../auth/identity.ts"
import type { NodeEnv } from "../http/answer.ts"

/** What every route of `/v1` has: its bearer token was checked. */
export interface V1Env extends NodeEnv {
  Variables: {
    /** What the token is called is who changes things, in their history. */
    identity: Identity
    tenant: Tenant & TenantUseCases
  }
}

export type V1App = OpenAPIHono<V1Env>
export type V1Context = Context<V1Env>
