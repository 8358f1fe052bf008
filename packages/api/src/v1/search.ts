import { searchLimits } from "@docket/core/query"
import { z } from "@hono/zod-openapi"
import { cursorParameter, nextCursor } from "./list-page.ts"
import { addRoute } from "./operation-routes.ts"
import { toWireHit, WireHit } from "./search-wire.ts"
import type { V1App } from "./v1-app.ts"
import { V1Error } from "./v1-error.ts"

const { characters } = searchLimits

const Page = z.object({
  count: z.number(),
  hits: z.array(WireHit),
  /** The older name of `next_cursor`. */
  next: z.string().nullable(),
  ...nextCursor,
  problems: z.array(z.string()).openapi({ description: "what of the query does not count" }),
  indexed: z.number().openapi({ description: "the share of all that is searched, from 0 to 1" }),
})

/** `/v1/search`. */
export function addSearch(app: V1App): void {
  addRoute(app, "search.find", {
    method: "get",
    path: "/search",
    operationID: "search",
    summary: "Titles, prompts, answers and calls of tools in all sessions, newest first. Days begin by UTC.",
    query: {
      q: {
        type: "string",
        maxLength: characters,
        description:
          'words, "phrases", beginnings*, -not, and filters: agent:, tool:, kind:, by:, file:, status:, verdict:, cost:>, after:, before:, tree:',
      },
      limit: { type: "integer", minimum: 1, maximum: 100, default: 20, description: "how many at most" },
      cursor: cursorParameter,
    },
    status: 200,
    answer: { description: "what was found", schema: Page },
    refusals: { 400: "the request is not valid; says what is wrong" },
    read({ query: { q: text = "", limit = "", cursor } }) {
      if (text.length > characters) throw new V1Error(400, `q is longer than ${characters} characters`)
      return { text, limit: /^[1-9]\d{0,8}$/.test(limit) ? Number(limit) : undefined, cursor: cursor || undefined }
    },
    write: ({ hits, next, ...rest }) => ({
      count: hits.length,
      hits: hits.map(toWireHit),
      next,
      next_cursor: next,
      ...rest,
    }),
  })
}
