import type { OutputPage, SessionWork, TreePast, TreeSnapshot } from "@docket/core"
import { notRecorded, records } from "@docket/core/operations"
import {
  type LeftFile,
  MessageID,
  type Part,
  PartID,
  PermissionPreset,
  ProjectID,
  PromptInput,
  type Session,
  SessionVisibility,
  type Turn,
  TurnID,
} from "@docket/core/schema"
import type { MessagePage, Page, SessionListItem } from "@docket/core/store"
import { z } from "zod"
import { requireOwnSession } from "../access/whose.ts"
import { allowed, router } from "../trpc.ts"
import { SessionFields, SessionInput } from "./input.ts"

const CreateInput = SessionFields.extend({
  projectID: ProjectID,
  variant: z.string().min(1).optional(),
  preset: PermissionPreset.optional(),
  visibility: SessionVisibility.optional(),
})

const ListInput = z.object({
  projectID: ProjectID.optional(),
  search: z.string().max(200).optional(),
  archived: z.boolean().optional(),
  limit: z.number().int().min(1).max(200).optional(),
  cursor: z.string().optional(),
})

const UpdateInput = SessionInput.extend(SessionFields.shape).extend({
  archived: z.boolean().optional(),
  variant: z.string().min(1).nullable().optional(),
})

/** `before` and `after` are message ids, `around` a message or part id. `limit` counts messages. */
export const MessagesInput = SessionInput.extend({
  before: z.string().optional(),
  after: z.string().optional(),
  around: z.string().optional(),
  limit: z.number().int().min(1).max(2_000).optional(),
}).refine((it) => [it.before, it.after, it.around].filter((anchor) => anchor !== undefined).length <= 1, {
  error: "give only one of before, after and around",
})

const SubmitInput = PromptInput.extend(SessionInput.shape)

export const sessionRouter = router({
  /** Starts a root session on a project. */
  create: allowed("prompt", records("session.started", { facts: ["agent", "preset", "visibility"] }))
    .input(CreateInput)
    .mutation(({ ctx, input }): Promise<Session> => ctx.runtime.session.create(input)),

  /** Starts a root session with its first prompt, or none when the prompt is refused. */
  start: allowed("prompt", records("session.started", { facts: ["agent", "preset", "visibility"] }))
    .input(CreateInput.extend({ parts: PromptInput.shape.parts }))
    .mutation(({ ctx, input }): Promise<{ session: Session; turn: Turn }> => ctx.runtime.session.start(input)),

  /** Root sessions with the sums of their trees, most recently updated first. */
  list: allowed("read")
    .input(ListInput)
    .query(({ ctx, input }): Promise<Page<SessionListItem>> => ctx.runtime.session.list(input)),

  get: allowed("read")
    .input(SessionInput)
    .query(({ ctx, input }): Promise<Session> => ctx.runtime.session.get(input.sessionID)),

  /** The whole tree around any of its sessions, without messages. Subscribe from its `seq`. */
  tree: allowed("read")
    .input(SessionInput)
    .query(({ ctx, input }): Promise<TreeSnapshot> => ctx.runtime.session.tree(input.sessionID)),

  /** What the session did over its whole time: work, rests, failures and waits for a person, without its transcript. */
  work: allowed("read")
    .input(SessionInput)
    .query(({ ctx, input }): Promise<SessionWork> => ctx.runtime.session.work(input.sessionID)),

  /** When what happened in the tree: calls, errors, what was spent, and each change of a todo. For a replay. */
  past: allowed("read")
    .input(SessionInput)
    .query(({ ctx, input }): Promise<TreePast> => ctx.runtime.session.past(input.sessionID)),

  children: allowed("read")
    .input(SessionInput)
    .query(({ ctx, input }): Promise<Session[]> => ctx.runtime.session.children(input.sessionID)),

  update: allowed("prompt", records("session.changed", { facts: ["agent", "archived", "variant"] }))
    .input(UpdateInput)
    .mutation(({ ctx, input }): Promise<Session> => {
      const { sessionID, ...patch } = input
      return ctx.runtime.session.update(sessionID, patch)
    }),

  /** How much the session and those below it may do unasked; null for what the rules say alone. */
  setPreset: allowed("answer", records("session.changed", { facts: ["preset"] }))
    .input(SessionInput.extend({ preset: PermissionPreset.nullable() }))
    .mutation(({ ctx, input }): Promise<Session> => ctx.runtime.session.setPreset(input.sessionID, input.preset)),

  /** Who sees the session's tree: the workspace, or only the caller who started it. */
  setVisibility: allowed("prompt", records("session.changed", { facts: ["visibility"] }))
    .input(SessionInput.extend({ visibility: SessionVisibility }))
    .mutation(
      ({ ctx, input }): Promise<Session> => ctx.runtime.session.setVisibility(input.sessionID, input.visibility),
    ),

  /** The caller has seen the transcript up to the end of a turn at `at` (epoch ms, as `ended` of the session says). */
  markRead: allowed("read", notRecorded("what somebody has read is their own"))
    .input(SessionInput.extend({ at: z.number().int().nonnegative() }))
    .mutation(({ ctx, input }): Promise<Session> => ctx.runtime.session.markRead(input.sessionID, input.at)),

  /** Stops the session and everything under it, then removes it for good. */
  remove: allowed("prompt", records("session.removed"))
    .input(SessionInput)
    .mutation(async ({ ctx, input }): Promise<null> => {
      await requireOwnSession(ctx, input.sessionID)
      await ctx.runtime.session.remove(input.sessionID)
      return null
    }),

  /** Queues a prompt and answers when its turn has ended. A caller that hangs up does not stop the turn. */
  prompt: allowed("prompt", records("prompted"))
    .input(SubmitInput)
    .mutation(async ({ ctx, input, signal }): Promise<Turn> => {
      const { sessionID, ...prompt } = input
      const turn = await ctx.runtime.prompt.submit(sessionID, prompt)
      return ctx.runtime.prompt.wait(turn.id, signal)
    }),

  /** Queues a prompt and answers with the queued turn at once; its events tell the rest. */
  promptAsync: allowed("prompt", records("prompted"))
    .input(SubmitInput)
    .mutation(({ ctx, input }): Promise<Turn> => {
      const { sessionID, ...prompt } = input
      return ctx.runtime.prompt.submit(sessionID, prompt)
    }),

  /** Takes a queued prompt back; `withdrawn: false` when it already runs. */
  withdraw: allowed("prompt", records("prompt.withdrawn", { results: ["withdrawn"] }))
    .input(z.object({ turnID: TurnID }))
    .mutation(async ({ ctx, input }): Promise<{ withdrawn: boolean }> => {
      return { withdrawn: await ctx.runtime.prompt.withdraw(input.turnID) }
    }),

  /**
   * Stops the session and everything under it, and answers when all of it has stopped. `withdrawn` are the prompts of
   * the session that waited: nobody has read them.
   */
  abort: allowed("prompt", records("stopped"))
    .input(SessionInput)
    .mutation(async ({ ctx, input }): Promise<{ withdrawn: Turn[] }> => {
      return { withdrawn: await ctx.runtime.abort(input.sessionID) }
    }),

  /** Undoes a session from a user message on: conversation, todo list and files. */
  revert: allowed("undo", records("undone"))
    .input(SessionInput.extend({ messageID: MessageID }))
    .mutation(({ ctx, input }): Promise<Session> => ctx.runtime.session.revert(input.sessionID, input.messageID)),

  /** Brings back what was undone; `left` are the files that someone changed since. */
  unrevert: allowed("undo", records("redone"))
    .input(SessionInput)
    .mutation(({ ctx, input }): Promise<{ session: Session; left: LeftFile[] }> => {
      return ctx.runtime.session.unrevert(input.sessionID)
    }),

  /** A window of messages with their parts, oldest first; without an anchor the newest. */
  messages: allowed("read")
    .input(MessagesInput)
    .query(({ ctx, input }): Promise<MessagePage & { seq: number }> => ctx.runtime.session.messages(input)),

  /** One part as it is stored now: for a reader whose copy does not fit a text delta. */
  part: allowed("read")
    .input(z.object({ partID: PartID }))
    .query(({ ctx, input }): Promise<Part> => ctx.runtime.session.part(input.partID)),

  /** A page of a call's full output, where that was too long for the model; `cursor` is `next` of the page before. */
  output: allowed("read")
    .input(z.object({ partID: PartID, cursor: z.int().nonnegative().optional() }))
    .query(({ ctx, input }): Promise<OutputPage> => ctx.runtime.session.output(input.partID, input.cursor)),
})
