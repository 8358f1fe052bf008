import { z } from "zod"
import { DocketError } from "../../ground/error/docket-error.ts"
import {
  MessageID,
  ModelRef,
  PartID,
  PermissionPreset,
  ProjectID,
  PromptInput,
  SessionID,
  SessionVisibility,
  ToolSwitches,
  TurnID,
} from "../../ground/schema/index.ts"
import { notRecorded, records } from "./audit-rule.ts"
import { MaybeProjectInput, SessionInput, sizeOf } from "./input.ts"
import { inner, mutation, query } from "./operation.ts"

/** Fields that a new session starts with, and that can be changed later. */
const SessionFields = z.object({
  title: z.string().trim().min(1).max(200).optional(),
  agent: z.string().optional(),
  model: ModelRef.optional(),
})

const CreateInput = SessionFields.extend({
  projectID: ProjectID,
  variant: z.string().min(1).optional(),
  preset: PermissionPreset.optional(),
  visibility: SessionVisibility.optional(),
  tools: ToolSwitches.optional(),
})

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

/** A prompt to a session. */
export const SubmitInput = PromptInput.extend(SessionInput.shape)

/** What routes of `/v1` share. */
const item = { schema: SessionID, called: "session" }
const missing = { 404: "there is no such thing, or it is another tenant's" }
/** A row whose fields its type describes: see `@docket/core/schema`. */
const Row = z.object({ id: z.string() })

export const sessionOperations = {
  /** Creates a root session in a project. It does without the tools that `tools` switches off. */
  create: mutation({
    capability: "prompt",
    audit: records("session.started", { facts: ["agent", "preset", "visibility"] }),
    input: CreateInput,
    idempotent: { row: "session" },
    run: ({ session }, fields, { id }) => session.create({ ...fields, id }),
  }),

  /** Creates a root session and sends its first prompt. If the prompt is refused, there is no session. */
  start: mutation({
    capability: "prompt",
    audit: records("session.started", { facts: ["agent", "preset", "visibility"] }),
    input: CreateInput.extend({ parts: PromptInput.shape.parts }),
    idempotent: { row: "session", finds: true },
    member: true,
    run: ({ session }, begun, { request }) => session.start(begun, request),
  }),

  /** Creates a child of a session that does nothing yet: `task.start` gives it work. */
  createChild: mutation({
    capability: "prompt",
    audit: records("session.started", { facts: ["agent"] }),
    input: SessionInput.extend({
      title: z.string().trim().min(1).max(200),
      agent: z.string().max(200).optional(),
      tools: ToolSwitches.optional(),
    }),
    idempotent: "remembered",
    run: ({ session }, { sessionID, ...input }) => session.createChild(sessionID, input),
  }),

  /**
   * Copies a root session into a new one: its conversation before `messageID`, or all of it. Todos, tasks, costs and what
   * was allowed are not copied.
   */
  fork: mutation({
    capability: "prompt",
    audit: records("session.started"),
    input: SessionInput.extend({ messageID: MessageID.optional() }),
    idempotent: { row: "session" },
    run: ({ session }, { sessionID, messageID }, { id }) => session.fork(sessionID, { messageID, id }),
  }),

  /** The sessions of the trees that were updated last, children too. `limit` counts trees. */
  recent: query({
    input: z.object({
      projectID: ProjectID.optional(),
      search: z.string().max(200).optional(),
      limit: z.number().int().min(1).max(200).default(100),
    }),
    run: ({ session }, asked) => session.recent(asked),
    lists: ({ rootID }) => rootID,
  }),

  /** The sessions with a prompt or a task that waits or runs. One that waits is `idle` until its turn comes. */
  working: query({
    input: MaybeProjectInput,
    run: ({ session }, asked) => session.working(asked),
    lists: ({ rootID }) => rootID,
  }),

  /** Root sessions in pages, the most recently updated first. Cost and tokens are those of the whole tree. */
  list: query({
    input: z.object({
      projectID: ProjectID.optional(),
      search: z.string().max(200).optional(),
      archived: z.boolean().optional(),
      limit: z.number().int().min(1).max(200).optional(),
      cursor: z.string().optional(),
    }),
    run: ({ session }, asked) => session.list(asked),
    pages: { usual: 50, rootOf: ({ session }) => session.id },
  }),

  /** One session. */
  get: query({ input: SessionInput, run: ({ session }, { sessionID }) => session.get(sessionID) }),

  /** The whole tree around a session, without messages. Subscribe to events from its `seq` on. */
  tree: query({
    input: SessionInput,
    run: ({ session }, { sessionID }) => session.tree(sessionID),
    rest: {
      method: "get",
      path: "/sessions/{id}/tree",
      operationID: "getTree",
      summary: "The tree around a session without its messages: sessions, tasks, todo lists by session, open requests.",
      item,
      status: 200,
      answer: {
        description: "the tree; events after `seq` are not in it",
        schema: z.object({
          seq: z.number().int(),
          sessions: z.array(Row),
          tasks: z.array(Row),
          todos: z.record(z.string(), z.array(Row)),
          permissions: z.array(Row),
        }),
      },
      refusals: missing,
      read: ({ id }) => ({ sessionID: id }),
      write: ({ seq, sessions, tasks, todos, permissions }) => ({ seq, sessions, tasks, todos, permissions }),
    },
  }),

  /** How a session spent its time: work, rests, failures and waits for a person. Without its transcript. */
  work: query({ input: SessionInput, run: ({ session }, { sessionID }) => session.work(sessionID) }),

  /**
   * When things happened in the tree: calls, errors, what was spent, and each change of a todo. For a replay
   * (`@docket/core/replay`).
   */
  past: query({ input: SessionInput, run: ({ session }, { sessionID }) => session.past(sessionID) }),

  /** The sessions directly below a session. */
  children: query({ input: SessionInput, run: ({ session }, { sessionID }) => session.children(sessionID) }),

  /** Changes the title, agent, model or variant of a session, or archives it. */
  update: mutation({
    capability: "prompt",
    audit: records("session.changed", { facts: ["agent", "archived", "variant"] }),
    input: SessionInput.extend(SessionFields.shape).extend({
      archived: z.boolean().optional(),
      variant: z.string().min(1).nullable().optional(),
    }),
    run: ({ session }, { sessionID, ...patch }) => session.update(sessionID, patch),
  }),

  /** Sets how much the session and those below it may do without asking. With `null` only the rules decide. */
  setPreset: mutation({
    capability: "answer",
    audit: records("session.changed", { facts: ["preset"] }),
    input: SessionInput.extend({ preset: PermissionPreset.nullable() }),
    run: ({ session }, { sessionID, preset }) => session.setPreset(sessionID, preset),
  }),

  /** Sets who sees the session's tree: the workspace, or only the caller who started it. */
  setVisibility: mutation({
    capability: "prompt",
    audit: records("session.changed", { facts: ["visibility"] }),
    input: SessionInput.extend({ visibility: SessionVisibility }),
    run: ({ session }, { sessionID, visibility }) => session.setVisibility(sessionID, visibility),
  }),

  /**
   * Marks the transcript as read by the caller, up to the turn that ended at `at` (epoch ms, from `ended` of the
   * session).
   */
  markRead: mutation({
    capability: "read",
    audit: notRecorded("what somebody has read is their own"),
    input: SessionInput.extend({ at: z.number().int().nonnegative() }),
    run: ({ session }, { sessionID, at }) => session.markRead(sessionID, at),
  }),

  /**
   * Stops the session and everything under it, then removes it for good. A session of somebody else takes
   * `sessions.manage`.
   */
  remove: mutation({
    capability: "prompt",
    audit: records("session.removed"),
    input: SessionInput,
    async run({ session }, { sessionID }, { asker }) {
      const { by, imported } = await session.get((await session.get(sessionID)).rootID)
      asker.requireOwn(imported?.by ?? by, "sessions.manage")
      await session.remove(sessionID)
      return null
    },
  }),

  /** Queues a prompt and answers at once with the queued turn. Events tell how it goes on. */
  promptAsync: mutation({
    capability: "prompt",
    audit: records("prompted"),
    input: SubmitInput,
    idempotent: {
      row: "turn",
      as: { name: "prompt.submit", input: ({ sessionID, ...input }) => ({ sessionID, input }) },
    },
    member: true,
    run: ({ prompt }, { sessionID, ...input }, { id }) => prompt.submit(sessionID, input, id),
  }),

  /** Answers when a turn has ended or the signal aborts. */
  wait: inner({
    run: ({ prompt }, { turnID, signal }: { turnID: string; signal?: AbortSignal | undefined }) =>
      prompt.wait(turnID, signal),
  }),

  /** Takes a queued prompt back. `withdrawn` is false when it already runs. */
  withdraw: mutation({
    capability: "prompt",
    audit: records("prompt.withdrawn", { results: ["withdrawn"] }),
    input: z.object({ turnID: TurnID }),
    // For a hidden turn the answer is that of an unknown turn.
    target: null,
    async run({ prompt }, { turnID }, { visibility }) {
      const isSeen = visibility === null || (await visibility.sees("turn", turnID))
      return { withdrawn: isSeen && (await prompt.withdraw(turnID)) }
    },
  }),

  /**
   * Stops the session and everything under it, and answers when all of it has stopped. `withdrawn` lists the
   * session's queued prompts, which nobody has read.
   */
  abort: mutation({
    capability: "prompt",
    audit: records("stopped"),
    input: SessionInput,
    run: async ({ abort }, { sessionID }) => ({ withdrawn: await abort(sessionID) }),
  }),

  /** Undoes a session from a user message on: conversation, todo list and files. */
  revert: mutation({
    capability: "undo",
    audit: records("undone"),
    input: SessionInput.extend({ messageID: MessageID }),
    run: ({ session }, { sessionID, messageID }) => session.revert(sessionID, messageID),
  }),

  /** Brings back what was undone. `left` lists the files that somebody has changed since. */
  unrevert: mutation({
    capability: "undo",
    audit: records("redone"),
    input: SessionInput,
    run: ({ session }, { sessionID }) => session.unrevert(sessionID),
  }),

  /** A window of messages with their parts, oldest first. Without `before`, `after` or `around`, the newest. */
  messages: query({
    input: MessagesInput,
    run: ({ session }, asked) => session.messages(asked),
    rest: {
      method: "get",
      path: "/sessions/{id}/messages",
      operationID: "listMessages",
      summary: "A window of a transcript with its parts, oldest first; the newest without an anchor.",
      item,
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
          items: z.array(z.object({ info: Row, parts: z.array(Row) })),
          before: z.string().nullable(),
          after: z.string().nullable(),
        }),
      },
      refusals: { 400: "the request is not valid; says what is wrong", ...missing },
      read({ id, query: { limit, ...anchors } }) {
        if (Object.keys(anchors).length > 1) throw new DocketError("invalid_input", oneAnchor)
        return { sessionID: id, ...anchors, limit: sizeOf(limit, { usual: 50, most: 200 }) }
      },
      write: ({ items, before, after }) => ({ items, before, after }),
    },
  }),

  /** One part as it is stored now. Read it when your copy does not fit a text delta. */
  part: query({ input: z.object({ partID: PartID }), run: ({ session }, { partID }) => session.part(partID) }),

  /** A page of a call's full output, when it was too long for the model. `cursor` is `next` of the page before. */
  output: query({
    input: z.object({ partID: PartID, cursor: z.int().nonnegative().optional() }),
    run: ({ session }, { partID, cursor }) => session.output(partID, cursor),
  }),
}
