import { z } from "zod"
import { searchLimits } from "../../ground/query/index.ts"
import { SessionInput } from "./input.ts"
import { query } from "./operation.ts"

/** `utcOffset` is how far the caller's clock is ahead of UTC (minutes). It decides when a day begins. */
const QueryInput = z.object({
  text: z.string().max(searchLimits.characters, { error: `a query has at most ${searchLimits.characters} characters` }),
  isTyping: z.boolean().optional(),
  utcOffset: z.number().int().min(-840).max(840).optional(),
})

export const searchOperations = {
  /** Finds titles, prompts, answers and calls in all sessions, newest first. `cursor` is `next` of the page before. */
  find: query({
    input: QueryInput.extend({
      limit: z.number().int().min(1).max(100).optional(),
      cursor: z.string().max(120).optional(),
    }),
    needs: "rows",
    run: ({ search }, input) => search.find(input),
    pages: { usual: 20, names: ["hits", "next"], rootOf: (hit) => hit.root.id },
  }),

  /** All rows that match in the tree of a session, in the order of the tree. */
  rows: query({
    input: QueryInput.extend(SessionInput.shape),
    needs: "rows",
    run: ({ search }, { sessionID, ...input }) => search.rows(sessionID, input),
  }),
}
