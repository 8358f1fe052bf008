import { z } from "zod"
import {
  MessageID,
  PermissionPreset,
  ProjectID,
  PromptInput,
  Session,
  SessionVisibility,
  ToolSwitches,
  Turn,
} from "../../ground/schema/index.ts"
import { records } from "./audit-rule.ts"
import { SessionInput } from "./input.ts"
import { mutation } from "./operation.ts"
import { invalid, missing } from "./refusals.ts"
import { aSession, ofSession, RestPrompt, SessionFields } from "./session-route.ts"

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

const ForkChoice = z.object({ messageID: MessageID.optional(), worktree: z.boolean().optional() })

const ChildFields = z.object({
  title: z.string().trim().min(1).max(200),
  agent: z.string().max(200).optional(),
  tools: ToolSwitches.optional(),
})

export const sessionStartOperations = {
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
      item: ofSession,
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
      item: ofSession,
      body: ForkChoice,
      status: 201,
      answer: aSession,
      refusals: { ...invalid, ...missing },
      read: ({ id, body }) => ({ sessionID: id, ...body }),
      about: ({ id }) => ({ session: id }),
    },
  }),
}
