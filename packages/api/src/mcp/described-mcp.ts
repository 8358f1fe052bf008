import { type OpenAPIHono, z } from "@hono/zod-openapi"
import type { SignedInEnv } from "../http/signed-in.ts"
import { jsonBody, jsonResponse } from "../v1/openapi-parts.ts"

const Message = z
  .object({
    jsonrpc: z.literal("2.0"),
    id: z.union([z.string(), z.number()]).optional(),
    method: z.string().optional(),
    params: z.looseObject({}).optional(),
    result: z.unknown().optional(),
    error: z.unknown().optional(),
  })
  .openapi({ description: "a message of JSON-RPC" })
const Failure = z.object({ jsonrpc: z.literal("2.0"), error: z.object({ code: z.number(), message: z.string() }) })
const refused = (description: string) => jsonResponse(description, Failure)

/** Describes `/mcp`. What its tools take is told by the protocol itself. */
export function describeMcpRoute({ openAPIRegistry }: OpenAPIHono<SignedInEnv>): void {
  openAPIRegistry.registerPath({
    method: "post",
    path: "/mcp",
    operationId: "mcp",
    summary: "The Model Context Protocol (Streamable HTTP), with tools that delegate to Docket's agents.",
    "x-capability": "read",
    request: { body: jsonBody(Message) },
    responses: {
      200: jsonResponse("the answer, also as server-sent events", Message),
      400: refused("the message is not valid; says what is wrong"),
      401: refused("missing, malformed, unknown or revoked token"),
      403: refused("the role or the key may not do that; says who may"),
      429: refused("too many calls; `retry-after` says when to send the next"),
    },
  })
}
