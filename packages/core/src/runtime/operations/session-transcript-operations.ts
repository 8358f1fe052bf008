import { z } from "zod"
import { DocketError } from "../../ground/error/docket-error.ts"
import { MessageWithParts, PartID } from "../../ground/schema/index.ts"
import { SessionInput, sizeOf } from "./input.ts"
import { query } from "./operation.ts"
import { invalid, missing } from "./refusals.ts"
import { ofSession } from "./session-route.ts"

const oneAnchor = "give only one of before, after and around"

/** `before` and `after` are message ids, `around` a message or part id. `limit` counts messages. */
export const MessagesInput = SessionInput.extend({
  before: z.string().optional(),
  after: z.string().optional(),
  around: z.string().optional(),
  limit: z.number().int().min(1).max(2_000).optional(),
}).refine((it) => [it.before, it.after, it.around].filter((anchor) => anchor !== undefined).length <= 1, {
  error: oneAnchor,
})

export const sessionTranscriptOperations = {
  /** A window of messages with their parts, oldest first. Without `before`, `after` or `around`, the newest. */
  messages: query({
    input: MessagesInput,
    needs: "rows",
    run: ({ session }, asked) => session.messages(asked),
    rest: {
      method: "get",
      path: "/sessions/{id}/messages",
      operationID: "listMessages",
      summary: "A window of a transcript with its parts, oldest first; the newest without an anchor.",
      item: ofSession,
      query: {
        before: { type: "string", description: "a message id: those before it" },
        after: { type: "string", description: "a message id: those after it" },
        around: { type: "string", description: "a message or part id: those around it" },
        limit: { type: "integer", minimum: 1, maximum: 200, default: 50, description: "how many at most" },
      },
      status: 200,
      answer: {
        description: "`before` and `after` name the edge where there is more",
        schema: z.object({
          items: z.array(MessageWithParts),
          before: z.string().nullable(),
          after: z.string().nullable(),
        }),
      },
      refusals: { ...invalid, ...missing },
      read({ id, query: { limit, ...anchors } }) {
        if (Object.keys(anchors).length > 1) throw new DocketError("invalid_input", oneAnchor)
        return { sessionID: id, ...anchors, limit: sizeOf(limit, { usual: 50, most: 200 }) }
      },
      write: ({ items, before, after }) => ({ items, before, after }),
    },
  }),

  /** One part as it is stored now. Read it when your copy does not fit a text delta. */
  part: query({
    input: z.object({ partID: PartID }),
    needs: "rows",
    run: ({ session }, { partID }) => session.part(partID),
  }),

  /** A page of a call's full output, when it was too long for the model. `cursor` is `next` of the page before. */
  output: query({
    needs: "contents",
    input: z.object({ partID: PartID, cursor: z.int().nonnegative().optional() }),
    run: ({ session }, { partID, cursor }) => session.output(partID, cursor),
  }),
}
