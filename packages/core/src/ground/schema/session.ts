import { z } from "zod"
import { Caller } from "./caller.ts"
import { MessageID, ProjectID, ReviewVerdictID, SessionID, TurnID } from "./ids.ts"
import { ModelRef, TokenUsage } from "./model.ts"
import { Notice } from "./notice.ts"
import { ChosenPreset, PermissionRuleset } from "./permission.ts"
import { TreeBudget } from "./task.ts"
import { SessionVisibility } from "./workspace.ts"

export const SessionStatus = z.discriminatedUnion("type", [
  z.object({ type: z.literal("idle") }),
  z.object({ type: z.literal("busy") }),
  /** Waiting to call the provider again; `next` is epoch ms. */
  z.object({ type: z.literal("retry"), attempt: z.number().int(), message: z.string(), next: z.number() }),
  /** The work is over and its end cannot be stored yet. Told to readers only, never a row's. */
  z.object({ type: z.literal("storing"), message: z.string() }),
])
export type SessionStatus = z.infer<typeof SessionStatus>

/**
 * A file that undo or redo did not touch: someone changed it since, it is too large to keep, its state is gone, it
 * cannot be written, it lies outside of the project, or the project has no git.
 */
export const LeftFile = z.object({
  path: z.string(),
  reason: z.enum(["changed", "too_large", "expired", "blocked", "outside", "no_git"]),
})
export type LeftFile = z.infer<typeof LeftFile>

/**
 * What is undone of a session: everything from one user message on. It stays stored until the next prompt, which
 * removes it for good; until then redo brings it back.
 */
export const SessionRevert = z.object({
  messageID: MessageID,
  /** Messages of this session that are undone. */
  messages: z.number().int().nonnegative(),
  /** An id made just before anything went back: redo takes the todo list to how it was then. */
  mark: z.string(),
  /** Epoch ms. */
  at: z.number(),
  /** Who undid it. */
  by: Caller.optional(),
  /** Child sessions that the undone part had made; they are archived with it. */
  children: z.array(SessionID),
  files: z.object({
    /** `undoing` and `redoing` are under way; `kept`: files were not looked at, `note` says why. */
    state: z.enum(["undoing", "undone", "redoing", "kept"]),
    /** Snapshots of the directory: as the undo found it, and as it is meant to leave it. */
    before: z.string().nullable(),
    after: z.string().nullable(),
    /** How many files went back, and the first hundred of them, relative to the git top level. */
    count: z.number().int().nonnegative(),
    paths: z.array(z.string()),
    left: z.array(LeftFile),
    note: z.string().nullable(),
  }),
})
export type SessionRevert = z.infer<typeof SessionRevert>

/** Words for an agent that works or will work in a session: it reads them before its next step. */
export const SessionNote = z.object({
  id: z.string(),
  text: z.string(),
  /** The text as data; rows of older versions have the text alone. */
  notice: Notice.optional(),
  /** It waits for a step that is taken anyway: no step is taken for it. */
  quiet: z.literal(true).optional(),
  /** The verdict that it tells of: a newer one of the same person takes its place as long as nobody has read it. */
  verdictID: ReviewVerdictID.optional(),
})
export type SessionNote = z.infer<typeof SessionNote>

/** Asks whoever runs the turn to stop it: for a reason in words, or because a person wishes it. */
export const TurnStop = z.object({ turnID: TurnID, limit: z.string().nullable(), by: Caller.optional() })
export type TurnStop = z.infer<typeof TurnStop>

/** How the last turn of a session ended, and when (epoch ms). */
export const SessionEnd = z.object({ at: z.number(), how: z.enum(["completed", "failed", "stopped"]) })
export type SessionEnd = z.infer<typeof SessionEnd>

/** Where a session came from that was not made here. */
export const SessionImport = z.object({
  from: z.enum(["docket", "opencode", "claude-code"]),
  at: z.number(),
  by: Caller,
})
export type SessionImport = z.infer<typeof SessionImport>

/**
 * A conversation with an agent on one project directory. Children point to their parent; `rootID`
 * names the tree, `depth` is 0 at the root. Times are epoch ms. `cost` (USD) and `tokens` are its own, without those
 * of the sessions below it.
 */
export const Session = z.object({
  id: SessionID,
  projectID: ProjectID,
  parentID: SessionID.nullable(),
  rootID: SessionID,
  depth: z.number().int().nonnegative(),
  directory: z.string(),
  title: z.string(),
  agent: z.string(),
  model: ModelRef.nullable(),
  /** The model's variant for prompts that name none; null or left out for the agent's. */
  variant: z.string().nullable().optional(),
  permission: PermissionRuleset,
  /** The file of its plan, once it has been planned in: relative to the worktree, or absolute where there is no git. */
  plan: z.string().optional(),
  /** How much it and the sessions below it may do unasked; null or left out for what the rules say alone. */
  preset: ChosenPreset.nullable().optional(),
  status: SessionStatus,
  cost: z.number().nonnegative(),
  tokens: TokenUsage,
  /** The call in the parent that made this child: a recovered parent re-attaches by it. */
  origin: z.object({ messageID: z.string(), callID: z.string() }).nullable(),
  /** Set when the tree was told to stop; no child may be created under it until the next prompt. */
  abortedAt: z.number().nullable(),
  /** What its agent has not read yet. */
  notes: z.array(SessionNote).optional(),
  stop: TurnStop.nullable().optional(),
  /** The claim of a turn that wrote to its transcript last; null when something else changed it since. */
  writtenBy: z.object({ turnID: TurnID, epoch: z.number().int() }).nullable().optional(),
  /** Of a root session: the limits of its tree, once any is set. */
  tree: TreeBudget.nullable().optional(),
  /** Set while a part of the conversation is undone. */
  revert: SessionRevert.nullable().optional(),
  /** Null or left out before its first turn has ended, and on rows of versions that did not tell. */
  ended: SessionEnd.nullable().optional(),
  /** By person, the end up to which they have read its transcript (epoch ms). */
  read: z.record(z.string(), z.number()).optional(),
  /** Who started it. */
  by: Caller.optional(),
  /** Of a root session: who sees its tree; left out for the whole workspace. */
  visibility: SessionVisibility.optional(),
  /** Of a root session that came from a file: when (epoch ms), of which program, and who brought it. */
  imported: SessionImport.optional(),
  time: z.object({ created: z.number(), updated: z.number(), archived: z.number().nullable() }),
})
export type Session = z.infer<typeof Session>

/** A root session with what lists show about its tree. */
export const SessionListItem = z.object({
  session: Session,
  /** Sessions of the tree that are busy or retrying. */
  running: z.number().int().nonnegative(),
  /** What waits for a person anywhere in the tree: pending permission requests, and tasks that wait for a review. */
  needsYou: z.number().int().nonnegative(),
  /** How many of these are reviews. */
  reviews: z.number().int().nonnegative(),
  /** Sums over the tree; cost in USD, tokens of all kinds, sessions below the root. */
  treeCost: z.number().nonnegative(),
  treeTokens: z.number().nonnegative(),
  children: z.number().int().nonnegative(),
})
export type SessionListItem = z.infer<typeof SessionListItem>
