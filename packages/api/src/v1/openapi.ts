import type { OpenAPIHono } from "@hono/zod-openapi"
import type { SignedInEnv } from "../http/signed-in.ts"
import { inOpenApi30 } from "./in-openapi-30.ts"
import { describeWebhooks } from "./openapi-webhooks.ts"

// Not a literal in place: that would be checked against the type of OpenAPI 3.0, which does not allow `identifier`.
const license = { name: "MIT", identifier: "MIT" }

const description =
  "Sessions, prompts, events, permissions, tasks, todos, memory, schedules, the search, reviews, shares and sessions as files, for programs. Not in it: `/api/trpc`, which `@docket/client` calls with types, and `/api/auth`, which is for the pages that sign people in."

/** The description of all routes, in two versions of OpenAPI. */
export interface ApiDocuments {
  "3.1": () => object
  /** The same for tools that read no newer one. It has no webhooks. */
  "3.0": () => object
}

/** Describes all routes. Call what it gives when the app has all routes. */
export function describeRoutes(app: OpenAPIHono<SignedInEnv>, version: string): ApiDocuments {
  app.openAPIRegistry.registerComponent("securitySchemes", "key", {
    type: "http",
    scheme: "bearer",
    description:
      "A key for programs of a team, `dkt_…` (Settings, API keys), or the token of the service's token file. Each route says in `x-capability` what a key or its role has to be for.",
  })
  app.openAPIRegistry.registerComponent("securitySchemes", "token", {
    type: "http",
    scheme: "bearer",
    description: "Of a tenant: `atr_` and 64 hex digits, made with `docket token create`. Good for `/v1` alone.",
  })
  describeWebhooks(app)
  const document = () =>
    app.getOpenAPI31Document({
      openapi: "3.1.0",
      info: { title: "Docket", version, description, license },
      servers: [{ url: "/", description: "the service that answers with this" }],
      security: [{ key: [] }, { token: [] }],
    })
  return { "3.1": document, "3.0": () => inOpenApi30(document()) }
}
