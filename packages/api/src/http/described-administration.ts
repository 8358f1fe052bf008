import { ApiToken, ApiTokenID, AuditAct, AuditEntry } from "@docket/core/schema"
import { type RouteConfig, z } from "@hono/zod-openapi"
import { jsonBody, jsonResponse, queryParameter } from "../v1/openapi-parts.ts"
import { behindLogin, invalid, missing, refused } from "./plain-answers.ts"

const TokenInfo = ApiToken.omit({ tokenHash: true })
const count = z.number().int()
const TenantInfo = z.object({
  id: z.string(),
  sessions: count,
  todos: count,
  memories: count.openapi({ description: "those that no longer hold included" }),
  schedules: count,
  tokens: count.openapi({ description: "that still open something" }),
})
const time = (description: string) => queryParameter({ type: "integer", minimum: 0 }, description)

/** Descriptions of the routes for tokens, tenants and the audit log. */
export const describedAdministration: RouteConfig[] = [
  behindLogin("keys.manage", {
    method: "get",
    path: "/api/tokens",
    operationId: "listTokens",
    summary: "Tokens of tenants, never their secrets: those of the caller's workspace, for who runs the service all.",
    request: { query: z.object({ tenant: queryParameter({ type: "string" }, "only those of this tenant") }) },
    responses: { 200: jsonResponse("the tokens", z.object({ tokens: z.array(TokenInfo) })) },
  }),
  behindLogin("keys.manage", {
    method: "post",
    path: "/api/tokens",
    operationId: "createToken",
    summary: "Makes a token of a tenant, which is shown only now.",
    request: {
      body: jsonBody(
        z.object({
          tenant: z.string().optional().openapi({ description: "the caller's workspace when left out" }),
          name: z.string().min(1).max(200),
        }),
      ),
    },
    responses: { 201: jsonResponse("the token", TokenInfo.extend({ token: z.string() })), ...invalid, ...missing },
  }),
  behindLogin("keys.manage", {
    method: "post",
    path: "/api/tokens/revoke",
    operationId: "revokeToken",
    summary: "Ends a token.",
    request: { body: jsonBody(z.object({ id: ApiTokenID })) },
    responses: { 200: jsonResponse("the token", TokenInfo), ...invalid, ...missing },
  }),
  behindLogin("service.manage", {
    method: "get",
    path: "/api/tenants",
    operationId: "listTenants",
    summary: "What each tenant owns.",
    responses: { 200: jsonResponse("the tenants", z.object({ tenants: z.array(TenantInfo) })) },
  }),
  behindLogin("service.manage", {
    method: "post",
    path: "/api/tenants/remove",
    operationId: "removeTenant",
    summary: "Removes a tenant with everything it owns, its tokens included.",
    request: { body: jsonBody(z.object({ tenant: z.string().min(1).max(200) })) },
    responses: { 200: jsonResponse("what it owned", TenantInfo), ...invalid, ...missing },
  }),
  behindLogin("audit.read", {
    method: "get",
    path: "/api/audit",
    operationId: "auditLog",
    summary: "Who did what in the workspace, the last first, an entry a line.",
    request: {
      query: z.object({
        person: queryParameter({ type: "string", maxLength: 200 }, "only what this person did, by id"),
        act: queryParameter({ type: "string", enum: AuditAct.options }, "only this"),
        since: time("from this on (epoch ms)"),
        until: time("before this (epoch ms)"),
        text: queryParameter({ type: "string", maxLength: 200 }, "words in what it was about"),
      }),
    },
    responses: {
      200: { description: "the entries", content: { "application/x-ndjson": { schema: AuditEntry } } },
      ...invalid,
      412: refused("the service is one person's, and has no audit log"),
    },
  }),
]
