import { z } from "zod"
import { DocketError } from "../../ground/error/docket-error.ts"
import { FeedItemSchema } from "../../ground/schema/event.ts"
import {
  LeftFile,
  MessageID,
  MessageWithParts,
  ModelRef,
  PartID,
  PermissionPreset,
  PermissionRequest,
  ProjectID,
  PromptInput,
  PromptPart,
  Session,
  SessionID,
  SessionListItem,
  SessionStats,
  SessionVisibility,
  TaskSummary,
  Todo,
  ToolSwitches,
  Turn,
  TurnID,
  WorkingSession,
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

const SessionPatch = SessionFields.extend({
  archived: z.boolean().optional(),
  variant: z.string().min(1).nullable().optional(),
})

/** What a session may not do, whatever its agent may. Callers cannot allow: only people and their rules do. */
const DenyRule = z.object({ permission: z.string().min(1).max(200), pattern: z.string().min(1).max(1_000) })

const CreateInput = SessionFields.extend({
  projectID: ProjectID,
  variant: z.string().min(1).optional(),
  preset: PermissionPreset.optional(),
  visibility: SessionVisibility.optional(),
  tools: ToolSwitches.optional(),
  deny: z.array(DenyRule).max(200).optional(),
})

const StartInput = CreateInput.extend({
  parts: PromptInput.shape.parts,
  outputSchema: PromptInput.shape.outputSchema,
})

const UndoStart = z.object({ messageID: MessageID, partID: PartID.optional() })

const ForkChoice = z.object({ messageID: MessageID.optional(), worktree: z.boolean().optional() })

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

const ChildFields = z.object({
  title: z.string().trim().min(1).max(200),
  agent: z.string().max(200).optional(),
  tools: ToolSwitches.optional(),
})

/** A prompt to a session. */
export const SubmitInput = PromptInput.extend(SessionInput.shape)

const [TextInput, FileInput, AgentInput, SubtaskInput, CommandInput] = PromptPart.options
/** A prompt as a route takes it: without what Docket alone sets. */
const RestPrompt = PromptInput.extend({
  parts: z
    .array(
      z.discriminatedUnion("type", [
        TextInput.omit({ addedBy: true, notice: true, command: true }),
        FileInput,
        AgentInput,
        SubtaskInput.omit({ command: true }),
        CommandInput.omit({ expansion: true }),
      ]),
    )
    .min(1),
})

/** What becomes of a prompt that waits: `before` which one it runs (null: last), or `now`. */
const PromptChange = z.object({ before: TurnID.nullable().optional(), now: z.boolean().optional() })

/** What routes of `/v1` share. */
const item = { schema: SessionID, called: "session" }
const ofTurn = { schema: TurnID, called: "turn" }
const missing = { 404: "there is no such thing, or it is another tenant's" }
const invalid = { 400: "the request is not valid; says what is wrong" }
const busy = { 409: "the session is working" }
const aSession = { description: "the session", schema: Session }
const aTurn = {
  description: "the turn; `turn.updated` tells how it goes on, and its `status` when it has ended",
  schema: Turn,
}
const page = { usual: 50, most: 200 }
const eventPage = { usual: 100, most: 500 }
/** The longest wait for an event (s): proxies give up on what is silent for longer. */
const maxWait = 30

/** The most days of which figures are made. */
const mostDays = 366

/** The project that an address names. @throws invalid_input */
function namedProject(project: string | undefined): string | undefined {
  const named = ProjectID.optional().safeParse(project || undefined)
  if (!named.success) throw new DocketError("invalid_input", "name a project: ?project=prj_…")
  return named.data
}

export const sessionOperations = {
  /**
   * Creates a root session in a project. It does without the tools that `tools` switches off, and it and those below it do
   * nothing that `deny` names.
   */
  create: mutation({
    capability: "prompt",
    audit: records("session.started", { facts: ["agent", "preset", "visibility"] }),
    input: CreateInput,
    idempotent: { row: "session" },
    run: ({ session }, fields, { id }) => session.create({ ...fields, id }),
    rest: {
      method: "post",
      path: "/sessions",
      operationID: "createSession",
      summary: "Creates a root session in a project.",
      body: CreateInput,
      status: 201,
      answer: aSession,
      refusals: { ...invalid, 404: "there is no such project, agent or model" },
      read: ({ body }) => body,
      about: ({ id }) => ({ session: id }),
    },
  }),

  /** Creates a root session and sends its first prompt. If the prompt is refused, there is no session. */
  start: mutation({
    capability: "prompt",
    audit: records("session.started", { facts: ["agent", "preset", "visibility"] }),
    input: StartInput,
    idempotent: { row: "session", finds: true },
    member: true,
    run: ({ session }, begun, { request }) => session.start(begun, request),
    rest: {
      method: "post",
      path: "/sessions/start",
      operationID: "startSession",
      summary: "Creates a root session and sends its first prompt. If the prompt is refused, there is no session.",
      body: StartInput.extend({ parts: RestPrompt.shape.parts }),
      status: 201,
      answer: { description: "the session and its first turn", schema: z.object({ session: Session, turn: Turn }) },
      refusals: { ...invalid, 404: "there is no such project, agent or model" },
      read: ({ body }) => body,
      about: ({ session }) => ({ session: session.id }),
    },
  }),

  /** Creates a child of a session that does nothing yet: `task.start` gives it work. */
  createChild: mutation({
    capability: "prompt",
    audit: records("session.started", { facts: ["agent"] }),
    input: SessionInput.extend(ChildFields.shape),
    idempotent: "remembered",
    run: ({ session }, { sessionID, ...input }) => session.createChild(sessionID, input),
    rest: {
      method: "post",
      path: "/sessions/{id}/children",
      operationID: "createChild",
      summary: "Creates a child of a session that does nothing yet: a task gives it work.",
      item,
      body: ChildFields,
      status: 201,
      answer: aSession,
      refusals: { ...invalid, ...missing },
      read: ({ id, body }) => ({ sessionID: id, ...body }),
      about: ({ id }) => ({ session: id }),
    },
  }),

  /**
   * Copies a root session into a new one: its conversation before `messageID`, or all of it. Todos, tasks, costs and what
   * was allowed are not copied. With `worktree` the copy works on the files of that moment, in a git worktree of its own;
   * otherwise on those of the project.
   */
  fork: mutation({
    capability: "prompt",
    audit: records("session.started"),
    input: SessionInput.extend(ForkChoice.shape),
    idempotent: { row: "session" },
    run: ({ session }, { sessionID, ...choice }, { id }) => session.fork(sessionID, { ...choice, id }),
    rest: {
      method: "post",
      path: "/sessions/{id}/fork",
      operationID: "forkSession",
      summary: "Copies a root session into a new one: its conversation before a message, or all of it.",
      item,
      body: ForkChoice,
      status: 201,
      answer: aSession,
      refusals: { ...invalid, ...missing },
      read: ({ id, body }) => ({ sessionID: id, ...body }),
      about: ({ id }) => ({ session: id }),
    },
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

  /** The sessions with a prompt or a task that waits or runs; all others are `idle`. */
  working: query({
    input: MaybeProjectInput,
    run: ({ session }, asked) => session.working(asked),
    lists: ({ rootID }) => rootID,
    rest: {
      method: "get",
      path: "/status",
      operationID: "listWorking",
      summary: "The sessions with a prompt or a task that waits or runs; all others are idle.",
      query: { project: { type: "string", description: "a project id: its sessions" } },
      status: 200,
      answer: { description: "those that work", schema: z.object({ sessions: z.array(WorkingSession) }) },
      refusals: invalid,
      read: ({ query: { project } }) => ({ projectID: namedProject(project) }),
      write: (sessions) => ({ sessions }),
    },
  }),

  /**
   * What was done and spent on the last days: turns, their durations, cost and tokens, by day, model, agent and project.
   * `utcOffset` (minutes) says when a day begins. Without trees that are hidden from the caller, and removed ones.
   */
  stats: query({
    input: z.object({
      projectID: ProjectID.optional(),
      days: z.int().min(1).max(mostDays).default(30),
      utcOffset: z.int().min(-840).max(840).default(0),
    }),
    run: ({ session }, asked, { visibility, caller }) => session.stats(asked, visibility && caller.person),
    rest: {
      method: "get",
      path: "/stats",
      operationID: "getStats",
      summary: "What was done and spent on the last days, by day, model, agent and project.",
      query: {
        project: { type: "string", description: "a project id: its sessions" },
        days: {
          type: "integer",
          minimum: 1,
          maximum: mostDays,
          default: 30,
          description: "today and the days before it",
        },
        utc_offset: {
          type: "integer",
          minimum: -840,
          maximum: 840,
          default: 0,
          description: "how far your clock is ahead of UTC (minutes)",
        },
      },
      status: 200,
      answer: { description: "the figures", schema: SessionStats },
      refusals: invalid,
      read({ query: { project, days, utc_offset } }) {
        const offset = /^-?\d{1,3}$/.test(utc_offset ?? "") ? Number(utc_offset) : 0
        return {
          projectID: namedProject(project),
          days: sizeOf(days, { usual: 30, most: mostDays }),
          utcOffset: Math.abs(offset) <= 840 ? offset : 0,
        }
      },
    },
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
    pages: { usual: page.usual, rootOf: ({ session }) => session.id },
    rest: {
      method: "get",
      path: "/sessions",
      operationID: "listSessions",
      summary: "Root sessions, the most recently updated first. Figures are those of the whole tree.",
      query: {
        project: { type: "string", description: "a project id: its sessions" },
        search: { type: "string", maxLength: 200, description: "words in the title" },
        archived: { type: "string", enum: ["true", "false"], description: "only these; both without it" },
        limit: {
          type: "integer",
          minimum: 1,
          maximum: page.most,
          default: page.usual,
          description: "how many at most",
        },
        cursor: { type: "string", description: "`next_cursor` of the page before" },
      },
      status: 200,
      answer: {
        description: "a page",
        schema: z.object({ items: z.array(SessionListItem), nextCursor: z.string().nullable() }),
      },
      refusals: invalid,
      read({ query: { project, search, archived, limit, cursor } }) {
        return {
          projectID: namedProject(project),
          search: search?.slice(0, 200) || undefined,
          archived: archived === "true" || archived === "false" ? archived === "true" : undefined,
          limit: sizeOf(limit, page),
          cursor: cursor || undefined,
        }
      },
      write: ({ items, cursor }) => ({ items, nextCursor: cursor }),
      withoutAgents: () => ({ items: [], nextCursor: null }),
    },
  }),

  /** One session. */
  get: query({
    input: SessionInput,
    run: ({ session }, { sessionID }) => session.get(sessionID),
    rest: {
      method: "get",
      path: "/sessions/{id}",
      operationID: "getSession",
      summary: "One session. Cost and tokens are its own, without those of the sessions below it.",
      item,
      status: 200,
      answer: aSession,
      refusals: missing,
      read: ({ id }) => ({ sessionID: id }),
    },
  }),

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
      item,
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
    input: SessionInput.extend(SessionPatch.shape),
    run: ({ session }, { sessionID, ...patch }) => session.update(sessionID, patch),
    rest: {
      method: "patch",
      path: "/sessions/{id}",
      operationID: "patchSession",
      summary: "Changes the title, agent, model or variant of a session, or archives it.",
      item,
      body: SessionPatch,
      status: 200,
      answer: aSession,
      refusals: { ...invalid, ...missing },
      read: ({ id, body }) => ({ sessionID: id, ...body }),
    },
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
    rest: {
      method: "delete",
      path: "/sessions/{id}",
      operationID: "deleteSession",
      summary: "Stops the session and everything under it, then removes it for good.",
      item,
      status: 200,
      answer: { description: "it is gone", schema: z.object({ deleted: z.literal(true) }) },
      refusals: missing,
      read: ({ id }) => ({ sessionID: id }),
      write: () => ({ deleted: true }),
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
    async run({ prompt }, { sessionID, ...input }, { id, asker }) {
      if (input.system !== undefined && !asker.may("settings.manage"))
        throw new DocketError(
          "forbidden",
          "Only who may change agents may give a prompt a system text (settings.manage). Say it in the prompt itself.",
        )
      return prompt.submit(sessionID, input, id)
    },
    rest: {
      method: "post",
      path: "/sessions/{id}/prompts",
      operationID: "promptSession",
      summary: "Queues a prompt. A request that is sent again under its `Idempotency-Key` prompts once.",
      item,
      body: RestPrompt,
      status: 201,
      answer: aTurn,
      refusals: { ...invalid, ...missing },
      read: ({ id, body }) => ({ sessionID: id, ...body }),
      about: ({ id }) => ({ turn: id }),
    },
  }),

  /** One turn: how far it is, and how it ended. */
  turn: query({
    input: z.object({ turnID: TurnID }),
    run: ({ prompt }, { turnID }) => prompt.get(turnID),
    rest: {
      method: "get",
      path: "/turns/{id}",
      operationID: "getTurn",
      summary: "One turn: how far it is, and how it ended.",
      item: ofTurn,
      status: 200,
      answer: aTurn,
      refusals: missing,
      read: ({ id }) => ({ turnID: id }),
    },
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
    rest: {
      method: "delete",
      path: "/turns/{id}",
      operationID: "withdrawPrompt",
      summary: "Takes a queued prompt back. `withdrawn` is false when it already runs, or is unknown.",
      item: ofTurn,
      status: 200,
      answer: { description: "whether it was taken back", schema: z.object({ withdrawn: z.boolean() }) },
      refusals: {},
      read: ({ id }) => ({ turnID: id }),
    },
  }),

  /**
   * Changes a queued prompt: its content, its place, or with `now` that the turn that runs reads it before its next step.
   * `changed` is false when it already runs.
   */
  changePrompt: mutation({
    capability: "prompt",
    audit: records("prompted", { facts: ["now"] }),
    input: PromptChange.extend({ turnID: TurnID, parts: PromptInput.shape.parts.optional() }),
    run: async ({ prompt }, { turnID, ...change }) => ({ changed: (await prompt.change(turnID, change)) !== null }),
    rest: {
      method: "patch",
      path: "/turns/{id}",
      operationID: "changePrompt",
      summary: "Changes a queued prompt, its place, or lets the running turn read it `now`. Not when it already runs.",
      item: ofTurn,
      body: PromptChange.extend({ parts: RestPrompt.shape.parts.optional() }),
      status: 200,
      answer: { description: "whether it was changed", schema: z.object({ changed: z.boolean() }) },
      refusals: { ...invalid, ...missing },
      read: ({ id, body }) => ({ turnID: id, ...body }),
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
    rest: {
      method: "post",
      path: "/sessions/{id}/stop",
      operationID: "stopSession",
      summary: "Stops the session and everything under it, and answers when all of it has stopped.",
      item,
      status: 200,
      answer: {
        description: "the session's queued prompts, which nobody has read",
        schema: z.object({ withdrawn: z.array(Turn) }),
      },
      refusals: missing,
      read: ({ id }) => ({ sessionID: id }),
    },
  }),

  /**
   * Undoes a session from a prompt on: conversation, todo list and files. With `partID`, a part of the message, it starts
   * at the step of the answer that has the part.
   */
  revert: mutation({
    capability: "undo",
    audit: records("undone"),
    input: SessionInput.extend(UndoStart.shape),
    run: ({ session }, { sessionID, messageID, partID }) => session.revert(sessionID, messageID, partID),
    rest: {
      method: "post",
      path: "/sessions/{id}/revert",
      operationID: "revertSession",
      summary: "Undoes from a prompt on, or from the step of an answer that has a part.",
      item,
      body: UndoStart,
      status: 200,
      answer: aSession,
      refusals: { ...invalid, ...missing, ...busy },
      read: ({ id, body }) => ({ sessionID: id, ...body }),
    },
  }),

  /** Brings back what was undone. `left` lists the files that somebody has changed since. */
  unrevert: mutation({
    capability: "undo",
    audit: records("redone"),
    input: SessionInput,
    run: ({ session }, { sessionID }) => session.unrevert(sessionID),
    rest: {
      method: "post",
      path: "/sessions/{id}/unrevert",
      operationID: "unrevertSession",
      summary: "Brings back what was undone. `left` lists the files that somebody has changed since.",
      item,
      status: 200,
      answer: { description: "the session", schema: z.object({ session: Session, left: z.array(LeftFile) }) },
      refusals: { 400: "nothing is undone", ...missing, ...busy },
      read: ({ id }) => ({ sessionID: id }),
    },
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
          items: z.array(MessageWithParts),
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
