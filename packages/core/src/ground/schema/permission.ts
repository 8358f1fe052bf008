import { z } from "zod"
import { Caller } from "./caller.ts"
import { GrantID, MessageID, PartID, PermissionID, ProjectID, SessionID } from "./ids.ts"
import { FileChangeMetadata, Question, QuestionAnswer } from "./tool-metadata.ts"

/** A named choice of how much a session may do unasked: what each means is in `rule/presets.ts`. */
export const PermissionPreset = z.enum(["ask", "edit", "plan", "sandbox"])
export type PermissionPreset = z.infer<typeof PermissionPreset>

/** The preset that a person chose for a session and those below it, and when (epoch ms). */
export const ChosenPreset = z.object({ name: PermissionPreset, by: Caller.optional(), at: z.number() })
export type ChosenPreset = z.infer<typeof ChosenPreset>

/** What a command does as far as its text tells, at most 100 of each; a program still does what it likes. */
export const CommandEffects = z.object({
  /** The commands in their order, those behind `sudo` and the like after it. */
  runs: z.array(z.string()),
  /** Files that it writes or changes: relative to the project, or as the command names them. */
  writes: z.array(z.string()),
  /** As the command names them. Older rows do not tell these four. */
  removes: z.array(z.string()).optional(),
  /** Addresses. */
  downloads: z.array(z.string()).optional(),
  /** What it changes that no path names, in words for people. */
  notes: z.array(z.string()).optional(),
  /** Commands of which it is not known what they change. */
  unknown: z.array(z.string()).optional(),
  /** Existing files of the project that it names. */
  reads: z.array(z.string()),
  /** Directories outside the project, absolute. */
  outside: z.array(z.string()),
  /** Some of what it runs or touches is computed only when it runs. */
  more: z.boolean(),
})
export type CommandEffects = z.infer<typeof CommandEffects>

/** What a permission request is about, by what is asked: front ends draw it from this alone. */
export const PermissionMetadata = z.discriminatedUnion("kind", [
  /** `bash`, also where the command touches files or leaves the project. `workdir` is absolute. */
  z.object({
    kind: z.literal("command"),
    command: z.string(),
    description: z.string(),
    workdir: z.string(),
    /** Null when it cannot be told before it runs; older rows do not say. */
    effects: CommandEffects.nullable().optional(),
    /** For the leave to run outside the sandbox: why, in the words of who asks. */
    outside: z.string().optional(),
  }),
  /** `edit` and `write`: what would be written, also where that is outside the project (`file` is absolute then). */
  z.object({ kind: z.literal("change"), ...FileChangeMetadata.shape }),
  /** `read`, and what `grep` shows of files. */
  z.object({ kind: z.literal("files"), files: z.array(z.string()) }),
  /** A place: what `list` lists, or what lies outside the project (absolute then). */
  z.object({ kind: z.literal("path"), path: z.string(), act: z.enum(["read", "search"]).optional() }),
  /** `glob` and `grep`. `include` is a glob of the files. */
  z.object({
    kind: z.literal("search"),
    pattern: z.string(),
    path: z.string().optional(),
    include: z.string().optional(),
  }),
  /** A task for the subagent `agent`, by the tool `tool`. */
  z.object({ kind: z.literal("task"), tool: z.string(), agent: z.string(), description: z.string() }),
  /** The call of a tool that repeats the `times - 1` before it. */
  z.object({ kind: z.literal("repeat"), tool: z.string(), input: z.unknown(), times: z.int() }),
  /** What follows `/schedule` in a command. */
  z.object({ kind: z.literal("schedule"), command: z.string() }),
  /** What an agent wants to know: no right is asked for, see `isInquiry`. */
  z.object({ kind: z.literal("question"), questions: z.array(Question) }),
  /**
   * A plan that is handed over, in its file as the session knows it. `version` is that of its text then, `partID` the
   * call; the question is whether to carry it out.
   */
  z.object({
    kind: z.literal("plan"),
    file: z.string(),
    version: z.string(),
    partID: PartID,
    questions: z.array(Question),
  }),
  /** The patterns of the request say it all, or an older row says no more. */
  z.looseObject({ kind: z.literal("other"), title: z.string().optional() }),
])
export type PermissionMetadata = z.infer<typeof PermissionMetadata>

export const PermissionAction = z.enum(["allow", "deny", "ask"])
export type PermissionAction = z.infer<typeof PermissionAction>

/** One rule. `permission` and `pattern` are wildcards (`*`, `?`). The last matching rule of a list decides. */
export const PermissionRule = z.object({
  permission: z.string(),
  pattern: z.string(),
  action: PermissionAction,
  /** It would allow, if all of the configuration could be read. */
  heldBack: z.literal(true).optional(),
  /** It is of a project's own configuration that nobody trusts: only an answer given there lifts it. */
  untrusted: z.literal(true).optional(),
  /** The preset of a session that it comes of. */
  preset: PermissionPreset.optional(),
  /** It is what the mode of the agent forbids, whatever else the user allows. */
  mode: z.literal("plan").optional(),
})
export type PermissionRule = z.infer<typeof PermissionRule>

export const PermissionRuleset = z.array(PermissionRule)
export type PermissionRuleset = z.infer<typeof PermissionRuleset>

/** The short form in config: `"allow"`, or `{ bash: "ask", edit: { "*.md": "allow", "*": "deny" } }`. */
export const PermissionConfig = z.union([
  PermissionAction,
  z.record(z.string(), z.union([PermissionAction, z.record(z.string(), PermissionAction)])),
])
export type PermissionConfig = z.infer<typeof PermissionConfig>

export const PermissionReply = z.enum(["once", "always", "reject"])
export type PermissionReply = z.infer<typeof PermissionReply>

/**
 * Why some patterns of a request are asked: a rule says so (`rule`), allows but is held back because configuration
 * cannot be read (`unreadable`), no rule covers them (`unset`), they are Docket's configuration, which a rule has to
 * name (`configuration`), or they are known only when it runs (`unknown`).
 */
export const PermissionReason = z.object({
  why: z.enum(["rule", "unreadable", "unset", "configuration", "unknown"]),
  patterns: z.array(z.string()),
  /** The rule that decided, where there is one. */
  rule: PermissionRule.optional(),
})
export type PermissionReason = z.infer<typeof PermissionReason>

/**
 * How far "always" reaches: the session that asks and those below it, its tree, all sessions of its project, or those
 * of every project.
 */
export const GrantScope = z.enum(["task", "tree", "project", "everywhere"])
export type GrantScope = z.infer<typeof GrantScope>

/**
 * What "always" allows from now on: in one session and those below it, or, without one, in the whole tree and `beyond`.
 */
export const PermissionMemory = z.object({
  patterns: z.array(z.string()),
  sessionID: SessionID.nullable(),
  beyond: GrantScope.extract(["project", "everywhere"]).optional(),
})
export type PermissionMemory = z.infer<typeof PermissionMemory>

/**
 * A stored question to the user, shown at the root of the tree: may this tool call go on? Or, when its metadata is an
 * `Inquiry`, what an agent wants to know.
 */
export const PermissionRequest = z.object({
  id: PermissionID,
  rootID: SessionID,
  sessionID: SessionID,
  messageID: MessageID.nullable(),
  callID: z.string().nullable(),
  permission: z.string(),
  patterns: z.array(z.string()),
  /** Patterns that "always" offers to allow. */
  always: z.array(z.string()),
  /** Those of `patterns` some of whose words are known only when it runs. */
  unknown: z.array(z.string()).optional(),
  metadata: PermissionMetadata,
  /** Older rows have none. */
  reasons: z.array(PermissionReason).optional(),
  /** An inquiry is `answered` or `dismissed`, and `rejected` only together with a request of its session. */
  status: z.enum(["pending", "once", "always", "answered", "dismissed", "rejected", "expired"]),
  /** The user's words with a rejection or a dismissal. */
  message: z.string().nullable(),
  /** Who answered it. */
  by: Caller.optional(),
  /** What was allowed for good with the answer "always"; in older rows that is `always`, in the whole tree. */
  remembered: PermissionMemory.optional(),
  /** Of an inquiry, one for each question. */
  answers: z.array(QuestionAnswer).optional(),
  /** The call has gone on with its leave. */
  taken: z.literal(true).optional(),
  time: z.object({ created: z.number(), replied: z.number().nullable() }),
})
export type PermissionRequest = z.infer<typeof PermissionRequest>

/** What a person allowed with "always" beyond one tree of sessions: in a project, or everywhere. */
export const StandingGrant = z.object({
  id: GrantID,
  /** Null: in every project. */
  projectID: ProjectID.nullable(),
  permission: z.string(),
  patterns: z.array(z.string()),
  /** Where it was given. Its session need not be there any more. */
  origin: z.object({
    /** The request that was answered with it, which may be gone, too; null where nothing was asked. */
    requestID: PermissionID.nullable(),
    rootID: SessionID,
    sessionID: SessionID,
    /** Title of the root session then. */
    title: z.string(),
    agent: z.string(),
  }),
  by: Caller.optional(),
  time: z.object({ created: z.number() }),
})
export type StandingGrant = z.infer<typeof StandingGrant>
