import type { FoundRows, SearchPage } from "@docket/core"
import { searchLimits } from "@docket/core/query"
import { z } from "zod"
import { allowed, router } from "../trpc.ts"
import { SessionInput } from "./input.ts"

/** `utcOffset` is how far the caller's clock is ahead of UTC (minutes): a day begins by it. */
const QueryInput = z.object({
  text: z.string().max(searchLimits.characters, { error: `a query has at most ${searchLimits.characters} characters` }),
  isTyping: z.boolean().optional(),
  utcOffset: z.number().int().min(-840).max(840).optional(),
})

const FindInput = QueryInput.extend({
  limit: z.number().int().min(1).max(100).optional(),
  cursor: z.string().max(120).optional(),
})

export const searchRouter = router({
  /** Titles, prompts, answers and calls of all sessions, newest first. `cursor` is `next` of the page before. */
  find: allowed("read")
    .input(FindInput)
    .query(({ ctx, input }): Promise<SearchPage> => ctx.runtime.search.find(input)),

  /** The rows that fit in the tree of a session, in its order. */
  rows: allowed("read")
    .input(QueryInput.extend(SessionInput.shape))
    .query(({ ctx, input }): Promise<FoundRows> => {
      const { sessionID, ...query } = input
      return ctx.runtime.search.rows(sessionID, query)
    }),
})
