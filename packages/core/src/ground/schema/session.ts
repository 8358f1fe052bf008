import { z } from "zod"
import { AwaitedHost } from "./awaited-host.ts"
import { Caller } from "./caller.ts"
import { MessageID, PartID, ProjectID, ReviewVerdictID, SessionID, TurnID } from "./ids.ts"
import { ModelRef, TokenUsage } from "./model.ts"
import { Notice } from "./notice.ts"
import { ChosenPreset, PermissionRuleset } from "./permission.ts"
import { SessionRepository } from "./repository.ts"
import { TreeBudget } from "./task.ts"
import { ToolSwitches } from "./tool-switches.ts"
import { SessionVisibility } from "./workspace.ts"

export const SessionStatus = z.discriminatedUnion("type", [
  z.object({ type: z.literal("idle") }),
  z.object({ type: z.literal("busy") }),
  /** The session waits to call the provider again at `next` (epoch ms). */
  z.object({ type: z.literal("retry"), attempt: z.number().int(), message: z.string(), next: z.number() }),
  /** The work is over, but its end cannot be stored yet. Sent to readers only, never stored. */
  z.object({ type: z.literal("storing"), message: z.string() }),
])
export type SessionStatus = z.infer<typeof SessionStatus>

/**
 * A file that undo or redo did not touch: somebody changed it since, it was too large to save, its saved state is gone,
 * it cannot be written, it lies outside the project, or the project has no git.
 */
export const LeftFile = z.object({
  path: z.string(),
  reason: z.enum(["changed", "too_large", "expired", "blocked", "outside", "no_git"]),
})
export type LeftFile = z.infer<typeof LeftFile>

/**
 * The undone part of a session: everything from one message on, a prompt or a step of an answer. The next prompt removes
 * it for good; until then, redo brings it back.
 */
export const SessionRevert = z.object({
  messageID: MessageID,
  /** The undo starts at a step of an answer: at the one that has this part. */
  partID: PartID.optional(),
  /** Messages of this session that are undone. */
  messages: z.number().int().nonnegative(),
  /** An id made just before the undo: redo restores the todo list as it was at that id. */
  mark: z.string(),
  /** Epoch ms. */
  at: z.number(),
  /** Who undid this part. */
  by: Caller.optional(),
  /** Child sessions that the undone part created; they are archived with it. */
  children: z.array(SessionID),
  files: z.object({
    /** `undoing` and `redoing` are in progress; `kept`: the files were left alone, `note` says why. */
    state: z.enum(["undoing", "undone", "redoing", "kept"]),
    /** Snapshots of the directory: before the undo, and as the undo should leave it. */
    before: z.string().nullable(),
    after: z.string().nullable(),
    /** How many files were restored, and the first hundred of them, relative to the git top level. */
    count: z.number().int().nonnegative(),
    paths: z.array(z.string()),
    left: z.array(LeftFile),
    note: z.string().nullable(),
  }),
})
export type SessionRevert = z.infer<typeof SessionRevert>

/** A message to the agent of a session, which reads it before its next step. */
export const SessionNote = z.object({
  id: z.string(),
  text: z.string(),
  /** The text as data; rows of older versions have only the text. */
  notice: Notice.optional(),
  /** The note waits for a step that is taken anyway, and causes none. */
  quiet: z.literal(true).optional(),
  /** The verdict that the note reports: a newer verdict of the same person replaces a note that is still unread. */
  verdictID: ReviewVerdictID.optional(),
})
export type SessionNote = z.infer<typeof SessionNote>

/** A request to stop a turn, to the runtime that runs it: because of `limit` (a reason in words), or by a person. */
export const TurnStop = z.object({ turnID: TurnID, limit: z.string().nullable(), by: Caller.optional() })
export type TurnStop = z.infer<typeof TurnStop>

/** How the last turn of a session ended, and when (epoch ms). */
export const SessionEnd = z.object({ at: z.number(), how: z.enum(["completed", "failed", "stopped"]) })
export type SessionEnd = z.infer<typeof SessionEnd>

/** The origin of a session that was imported. */
export const SessionImport = z.object({
  from: z.enum(["docket", "opencode", "claude-code"]),
  at: z.number(),
  by: Caller,
})
export type SessionImport = z.infer<typeof SessionImport>

/** What a model wrote of the changes of a tree: a title and the text of a pull request. */
export const ChangeDescription = z.object({
  title: z.string(),
  text: z.string(),
  model: ModelRef,
  /** Epoch ms. */
  at: z.number(),
  /** Who asked for it; absent when it was written at the end of the work. */
  by: Caller.optional(),
})
export type ChangeDescription = z.infer<typeof ChangeDescription>

/**
 * A conversation with an agent on one project directory. Children point to their parent; `rootID`
 * names the tree, `depth` is 0 at the root. Times are epoch ms. `cost` (USD) and `tokens` do not include those of the
 * sessions below it.
 */
export const Session = z.object({
  id: SessionID,
  projectID: ProjectID,
  parentID: SessionID.nullable(),
  rootID: SessionID,
  depth: z.number().int().nonnegative(),
  directory: z.string(),
  /** Only in a fork with files of its own: the branch of the git worktree that it works in. */
  branch: z.string().optional(),
  /** Only in a root session of a project with a repository, once it has files. */
  repository: SessionRepository.optional(),
  title: z.string(),
  agent: z.string(),
  model: ModelRef.nullable(),
  /** The model's variant for prompts that name none; null or absent: the agent's variant. */
  variant: z.string().nullable().optional(),
  permission: PermissionRuleset,
  /** The tools that the session does without: as it was created, or as the prompts say that caused a child's work. */
  tools: z.array(ToolSwitches).optional(),
  /** The plan file, once plan mode was used: relative to the worktree, or absolute in a project without git. */
  plan: z.string().optional(),
  /** The preset of this session and those below it; null or absent: only the rules apply. */
  preset: ChosenPreset.nullable().optional(),
  status: SessionStatus,
  cost: z.number().nonnegative(),
  tokens: TokenUsage,
  /** The call in the parent that created this child: after a crash, the parent finds the child by it. */
  origin: z.object({ messageID: z.string(), callID: z.string() }).nullable(),
  /** Set when the tree was stopped; no child may be created below until the next prompt. */
  abortedAt: z.number().nullable(),
  /** The notes that the agent has not read yet. */
  notes: z.array(SessionNote).optional(),
  stop: TurnStop.nullable().optional(),
  /** The claim of the turn that last wrote to the transcript; null when something else changed the transcript since. */
  writtenBy: z.object({ turnID: TurnID, epoch: z.number().int() }).nullable().optional(),
  /** Only in a root session: the limits of its tree, once any is set. */
  tree: TreeBudget.nullable().optional(),
  /** Only in a root session: the newest description of its tree's changes. */
  described: ChangeDescription.nullable().optional(),
  /** Set while a part of the conversation is undone. */
  revert: SessionRevert.nullable().optional(),
  /** Null or absent before the first turn has ended, and in rows of older versions. */
  ended: SessionEnd.nullable().optional(),
  /** By person, the end up to which they have read its transcript (epoch ms). */
  read: z.record(z.string(), z.number()).optional(),
  /** Who started the session. */
  by: Caller.optional(),
  /** Only in a root session: who sees its tree; absent: the whole workspace. */
  visibility: SessionVisibility.optional(),
  /** Only in an imported root session: when (epoch ms) and by whom it was imported, and from which program. */
  imported: SessionImport.optional(),
  time: z.object({ created: z.number(), updated: z.number(), archived: z.number().nullable() }),
})
export type Session = z.infer<typeof Session>

/** A session with a prompt or a task that waits or runs. */
export const WorkingSession = z.object({
  sessionID: SessionID,
  rootID: SessionID,
  /** `idle` while its first prompt waits for its turn. */
  status: SessionStatus,
  /** Prompts that wait. */
  queued: z.number().int().nonnegative(),
  /** The host that its tree waits for, whatever its status: nothing of it runs. Absent when it waits for none. */
  waitsFor: AwaitedHost.optional(),
})
export type WorkingSession = z.infer<typeof WorkingSession>

/** A root session with the facts about its tree that lists show. */
export const SessionListItem = z.object({
  session: Session,
  /** Sessions of the tree that are busy or retrying. */
  running: z.number().int().nonnegative(),
  /** How much waits for a person in the tree: pending permission requests, and tasks that wait for a review. */
  needsYou: z.number().int().nonnegative(),
  /** How many of `needsYou` are reviews. */
  reviews: z.number().int().nonnegative(),
  /** Sums over the tree; cost in USD, tokens of all kinds, sessions below the root. */
  treeCost: z.number().nonnegative(),
  treeTokens: z.number().nonnegative(),
  children: z.number().int().nonnegative(),
})
export type SessionListItem = z.infer<typeof SessionListItem>
