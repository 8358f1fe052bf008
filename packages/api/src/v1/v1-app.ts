import type { Tenant, TenantUseCases } from "@docket/core"
import type { Caller } from "@docket/core/schema"
import type { OpenAPIHono } from "@hono/zod-openapi"
import type { Context } from "hono"
import type { NodeEnv } from "../http/answer.ts"

/** What every route of `/v1` has: its bearer token was checked. */
export interface V1Env extends NodeEnv {
  Variables: {
    caller: Caller
    /** What the token is called: who changes things, in their history. */
    client: string
    tenant: Tenant & TenantUseCases
  }
}

export type V1App = OpenAPIHono<V1Env>
export type V1Context = Context<V1Env>
