import { searchLimits } from "@docket/core/query"
import { z } from "@hono/zod-openapi"
import { guardedRoute } from "./guarded-route.ts"
import { errorResponse, jsonResponse, queryParameter, refusals } from "./openapi-parts.ts"
import { WireHit } from "./search-wire.ts"

const { characters } = searchLimits

const SearchQuery = z.object({
  q: queryParameter(
    { type: "string", maxLength: characters },
    'words, "phrases", beginnings*, -not, and filters: agent:, tool:, kind:, by:, file:, status:, verdict:, cost:>, after:, before:, tree:',
  ),
  limit: queryParameter({ type: "integer", minimum: 1, maximum: 100, default: 20 }, "how many at most"),
  cursor: queryParameter({ type: "string" }, "`next` of the page before"),
})

const Page = z.object({
  count: z.number(),
  hits: z.array(WireHit),
  /** Null at the end. */
  next: z.string().nullable(),
  problems: z.array(z.string()).openapi({ description: "what of the query does not count" }),
  indexed: z.number().openapi({ description: "the share of all that is searched, from 0 to 1" }),
})

export const searchAll = guardedRoute("read", {
  method: "get",
  path: "/search",
  operationId: "search",
  summary: "Titles, prompts, answers and calls of tools in all sessions, newest first. Days begin by UTC.",
  request: { query: SearchQuery },
  responses: {
    200: jsonResponse("what was found", Page),
    400: errorResponse("the request is not valid; says what is wrong"),
    ...refusals,
  },
})
