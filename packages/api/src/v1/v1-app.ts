import type { Tenant } from "@docket/core"
import type { OpenAPIHono } from "@hono/zod-openapi"
import type { Context } from "hono"
import type { NodeEnv } from "../http/answer.ts"

/** What every route of `/v1` has: its bearer token was checked. */
export interface V1Env extends NodeEnv {
  Variables: {
    tenant: Tenant
    /** What the token is called: recorded with every change. */
    caller: string
  }
}

export type V1App = OpenAPIHono<V1Env>
export type V1Context = Context<V1Env>
