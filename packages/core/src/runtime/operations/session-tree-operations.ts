import { z } from "zod"
import { DocketError } from "../../ground/error/docket-error.ts"
import { FeedItemSchema } from "../../ground/schema/event.ts"
import { PermissionRequest, Session, TaskSummary, Todo } from "../../ground/schema/index.ts"
import { SessionInput, sizeOf } from "./input.ts"
import { query } from "./operation.ts"
import { invalid, missing } from "./refusals.ts"
import { aSession, ofSession } from "./session-route.ts"

const eventPage = { usual: 100, most: 500 }
/** The longest wait for an event (s): proxies give up on what is silent for longer. */
const maxWait = 30

export const sessionTreeOperations = {
  /** One session. */
  get: query({
    input: SessionInput,
    needs: "rows",
    run: ({ session }, { sessionID }) => session.get(sessionID),
    rest: {
      method: "get",
      path: "/sessions/{id}",
      operationID: "getSession",
      summary: "One session. Cost and tokens are its own, without those of the sessions below it.",
      item: ofSession,
      status: 200,
      answer: aSession,
      refusals: missing,
      read: ({ id }) => ({ sessionID: id }),
    },
  }),

  /** The whole tree around a session, without messages. Subscribe to events from its `seq` on. */
  tree: query({
    input: SessionInput,
    needs: "rows",
    run: ({ session }, { sessionID }) => session.tree(sessionID),
    rest: {
      method: "get",
      path: "/sessions/{id}/tree",
      operationID: "getTree",
      summary: "The tree around a session without its messages: sessions, tasks, todo lists by session, open requests.",
      item: ofSession,
      status: 200,
      answer: {
        description: "the tree; events after `seq` are not in it",
        schema: z.object({
          seq: z.number().int(),
          sessions: z.array(Session),
          tasks: z.array(TaskSummary),
          todos: z.record(z.string(), z.array(Todo)),
          permissions: z.array(PermissionRequest),
        }),
      },
      refusals: missing,
      read: ({ id }) => ({ sessionID: id }),
      write: ({ seq, sessions, tasks, todos, permissions }) => ({ seq, sessions, tasks, todos, permissions }),
    },
  }),

  /**
   * Events of the tree after the `seq` in `after`, or from now on: rows that changed, in their last state. An empty
   * page waits up to `waitMs` for one. The next page begins after `next`.
   */
  events: query({
    input: SessionInput.extend({
      after: z.int().nonnegative().optional(),
      limit: z.int().min(1).max(eventPage.most).default(eventPage.usual),
      waitMs: z
        .int()
        .min(0)
        .max(maxWait * 1_000)
        .default(0),
    }),
    needs: "rows",
    async run({ session, eventPage: read }, { sessionID, ...query }, { asker: { signal }, visibility }) {
      const { rootID } = await session.get(sessionID)
      const page = await read({ rootID, after: undefined, ...query }, signal ?? new AbortController().signal)
      // Its owner may have hidden the tree meanwhile.
      await visibility?.check("session", rootID)
      return page
    },
    rest: {
      method: "get",
      path: "/sessions/{id}/events",
      operationID: "listEvents",
      summary: "Events of the tree: rows that changed, in their last state. An empty page waits for the next event.",
      item: ofSession,
      query: {
        after: { type: "string", description: "`next_cursor` of the page before, or a `seq`; from now on without it" },
        wait: {
          type: "integer",
          minimum: 0,
          maximum: maxWait,
          default: 0,
          description: "for how many seconds an empty page waits",
        },
        limit: {
          type: "integer",
          minimum: 1,
          maximum: eventPage.most,
          default: eventPage.usual,
          description: "how many at most",
        },
      },
      status: 200,
      answer: {
        description: "the events; after `resync`, read the tree again",
        schema: z.object({ events: z.array(FeedItemSchema), nextCursor: z.string() }),
      },
      refusals: { ...invalid, ...missing },
      waits: true,
      read({ id, query: { after, wait = "0", limit } }) {
        if (after !== undefined && !/^\d{1,15}$/.test(after))
          throw new DocketError("invalid_input", "after is `next_cursor` of the page before, or a `seq`")
        const seconds = /^\d{1,4}$/.test(wait) ? Math.min(Number(wait), maxWait) : 0
        return {
          sessionID: id,
          after: after === undefined ? undefined : Number(after),
          waitMs: seconds * 1_000,
          limit: sizeOf(limit, eventPage),
        }
      },
      write: ({ events, next }) => ({ events, nextCursor: String(next) }),
    },
  }),

  /** How a session spent its time: work, rests, failures and waits for a person. Without its transcript. */
  work: query({ input: SessionInput, needs: "rows", run: ({ session }, { sessionID }) => session.work(sessionID) }),

  /**
   * When things happened in the tree: calls, errors, what was spent, and each change of a todo. For a replay
   * (`@docket/core/replay`).
   */
  past: query({ input: SessionInput, needs: "rows", run: ({ session }, { sessionID }) => session.past(sessionID) }),

  /** The sessions directly below a session. */
  children: query({
    input: SessionInput,
    needs: "rows",
    run: ({ session }, { sessionID }) => session.children(sessionID),
  }),
}
