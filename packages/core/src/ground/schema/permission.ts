import { z } from "zod"
import { Caller } from "./caller.ts"
import { GrantID, MessageID, PartID, PermissionID, ProjectID, SessionID } from "./ids.ts"
import { FileChangeMetadata, Question, QuestionAnswer } from "./tool-metadata.ts"

/** A named choice of how much a session may do without asking. `rule/presets.ts` defines each one. */
export const PermissionPreset = z.enum(["ask", "edit", "plan", "sandbox"])
export type PermissionPreset = z.infer<typeof PermissionPreset>

/** The preset that a person chose for a session and those below it, and when (epoch ms). */
export const ChosenPreset = z.object({ name: PermissionPreset, by: Caller.optional(), at: z.number() })
export type ChosenPreset = z.infer<typeof ChosenPreset>

/** The effects that the text of a command shows, at most 100 of each kind; its programs may do other things too. */
export const CommandEffects = z.object({
  /** The commands in order; a command run by `sudo` and the like follows it. */
  runs: z.array(z.string()),
  /** Files that the command writes or changes: relative to the project, or as the command names them. */
  writes: z.array(z.string()),
  /** Files that the command removes, as it names them. Older rows lack this field and the next three. */
  removes: z.array(z.string()).optional(),
  /** Addresses that the command downloads from. */
  downloads: z.array(z.string()).optional(),
  /** Changes that no path describes, in words for people. */
  notes: z.array(z.string()).optional(),
  /** Commands whose changes are not known. */
  unknown: z.array(z.string()).optional(),
  /** Existing files of the project that the command names. */
  reads: z.array(z.string()),
  /** Directories outside the project, absolute. */
  outside: z.array(z.string()),
  /** Not all is listed: some commands or files are known only at run time, or there are too many. */
  more: z.boolean(),
})
export type CommandEffects = z.infer<typeof CommandEffects>

/** The MCP server that a request is about. Its patterns end in digests, which tell people nothing. */
const AskedServer = z.object({
  name: z.string(),
  /** What of it is used: one of its tools, its resources, or the user's model, which it asks. */
  use: z.enum(["tool", "resources", "model"]),
  /** By its own name; for `tool`. */
  tool: z.string().optional(),
  /** What the server says of the tool, a sentence. */
  says: z.string().optional(),
})

export type AskedServer = z.infer<typeof AskedServer>

/** What a program that works as an agent wants to do by itself, and with which tool of its own. */
const AskedProgramCall = z.object({
  /** In words of the Agent Client Protocol: `edit`, `delete`, `search`, … */
  kind: z.string(),
  tool: z.string(),
  /** Relative to the project, or absolute outside of it. */
  files: z.array(z.string()),
  /** Unified diff, where the program shows one. */
  diff: z.string().optional(),
})

export type AskedProgramCall = z.infer<typeof AskedProgramCall>

/** The subject of a permission request, by kind. Front ends show the request from this alone. */
export const PermissionMetadata = z.discriminatedUnion("kind", [
  /** `bash`, also where the command touches files or leaves the project. `workdir` is absolute. */
  z.object({
    kind: z.literal("command"),
    command: z.string(),
    description: z.string(),
    workdir: z.string(),
    /** Null when the text cannot be analysed; absent in older rows. */
    effects: CommandEffects.nullable().optional(),
    /** The reason to run outside the sandbox, in the words of whoever asks. */
    outside: z.string().optional(),
  }),
  /** `edit` and `write`: the planned change. `file` is absolute when it lies outside the project. */
  z.object({ kind: z.literal("change"), ...FileChangeMetadata.shape }),
  /** `apply_patch` of several files, in the order of the patch. */
  z.object({ kind: z.literal("changes"), changes: z.array(FileChangeMetadata) }),
  /** `read`, and the files of which `grep` would show lines. */
  z.object({ kind: z.literal("files"), files: z.array(z.string()) }),
  /** A place: the directory that `list` shows, or a path outside the project (then absolute). */
  z.object({ kind: z.literal("path"), path: z.string(), act: z.enum(["read", "search"]).optional() }),
  /** `glob` and `grep`. `include` is a glob that limits the files. */
  z.object({
    kind: z.literal("search"),
    pattern: z.string(),
    path: z.string().optional(),
    include: z.string().optional(),
  }),
  /** `webfetch`: the whole address. `from` is the page that redirects to it. */
  z.object({ kind: z.literal("address"), url: z.string(), from: z.string().optional() }),
  /** `websearch`: what is sent to which host. */
  z.object({ kind: z.literal("query"), query: z.string(), host: z.string() }),
  /** A task for the subagent `agent`, by the tool `tool`. */
  z.object({ kind: z.literal("task"), tool: z.string(), agent: z.string(), description: z.string() }),
  /** A call that is the same as the `times - 1` calls before it. */
  z.object({ kind: z.literal("repeat"), tool: z.string(), input: z.unknown(), times: z.int() }),
  /** A `/schedule` command; `command` is the text after the name. */
  z.object({ kind: z.literal("schedule"), command: z.string() }),
  /** Questions of an agent that ask for no permission, see `isInquiry`. */
  z.object({ kind: z.literal("question"), questions: z.array(Question) }),
  /**
   * A finished plan and the question whether to carry it out. `file` is named as the session knows it, `version` is
   * that of the text at this time, `partID` is the call.
   */
  z.object({
    kind: z.literal("plan"),
    file: z.string(),
    version: z.string(),
    partID: PartID,
    questions: z.array(Question),
  }),
  /** The patterns of the request say everything, or an older row has no details. */
  z.looseObject({
    kind: z.literal("other"),
    title: z.string().optional(),
    server: AskedServer.optional(),
    program: AskedProgramCall.optional(),
  }),
])
export type PermissionMetadata = z.infer<typeof PermissionMetadata>

export const PermissionAction = z.enum(["allow", "deny", "ask"])
export type PermissionAction = z.infer<typeof PermissionAction>

/** One rule. `permission` and `pattern` are wildcards (`*`, `?`). The last matching rule of a list decides. */
export const PermissionRule = z.object({
  permission: z.string(),
  pattern: z.string(),
  action: PermissionAction,
  /** The rule allows, but is ignored while some configuration cannot be read. */
  heldBack: z.literal(true).optional(),
  /** The rule is from a project's untrusted configuration: only an answer given in that project overrides it. */
  untrusted: z.literal(true).optional(),
  /** The preset that the rule comes from. */
  preset: PermissionPreset.optional(),
  /** The rule is a ban of the agent's mode, which the user's general rules do not override. */
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
 * Why some patterns of a request need an answer: a rule asks (`rule`); a rule allows, but is ignored because some
 * configuration cannot be read (`unreadable`); no rule covers them (`unset`); they are Docket's configuration, which a
 * rule must name (`configuration`); or they are known only at run time (`unknown`).
 */
export const PermissionReason = z.object({
  why: z.enum(["rule", "unreadable", "unset", "configuration", "unknown"]),
  patterns: z.array(z.string()),
  /** The rule that decided, if any. */
  rule: PermissionRule.optional(),
})
export type PermissionReason = z.infer<typeof PermissionReason>

/**
 * Where an "always" applies: in the asking session and those below it (`task`), its tree, all sessions of its project,
 * or every project.
 */
export const GrantScope = z.enum(["task", "tree", "project", "everywhere"])
export type GrantScope = z.infer<typeof GrantScope>

/**
 * The patterns that "always" allows from now on. With a session: in that session and those below it. Without one: in
 * the whole tree, and `beyond` it.
 */
export const PermissionMemory = z.object({
  patterns: z.array(z.string()),
  sessionID: SessionID.nullable(),
  beyond: GrantScope.extract(["project", "everywhere"]).optional(),
})
export type PermissionMemory = z.infer<typeof PermissionMemory>

/**
 * A stored question to the user, shown at the root of the tree: whether a tool call may go on or, when its metadata is
 * an `Inquiry`, a question of the agent.
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
  /** The members of `patterns` with words that are known only at run time. */
  unknown: z.array(z.string()).optional(),
  metadata: PermissionMetadata,
  /** Absent in older rows. */
  reasons: z.array(PermissionReason).optional(),
  /** An inquiry is `answered` or `dismissed`, and `rejected` only together with a request of its session. */
  status: z.enum(["pending", "once", "always", "answered", "dismissed", "rejected", "expired"]),
  /** The user's words with a rejection or a dismissal. */
  message: z.string().nullable(),
  /** Who answered the request. */
  by: Caller.optional(),
  /** The permanent permission that the answer "always" gave; older rows without it allow `always` in the whole tree. */
  remembered: PermissionMemory.optional(),
  /** The answers to an inquiry, one for each question. */
  answers: z.array(QuestionAnswer).optional(),
  /** The call has already used this permission. */
  taken: z.literal(true).optional(),
  time: z.object({ created: z.number(), replied: z.number().nullable() }),
})
export type PermissionRequest = z.infer<typeof PermissionRequest>

/** A permanent permission beyond one tree of sessions: in a project, or everywhere. */
export const StandingGrant = z.object({
  id: GrantID,
  /** Null when the grant applies in every project. */
  projectID: ProjectID.nullable(),
  permission: z.string(),
  patterns: z.array(z.string()),
  /** Where the grant was given. The session may be gone. */
  origin: z.object({
    /** The request that was answered with the grant; it may be gone too. Null when nothing was asked. */
    requestID: PermissionID.nullable(),
    rootID: SessionID,
    sessionID: SessionID,
    /** Title of the root session at that time. */
    title: z.string(),
    agent: z.string(),
  }),
  by: Caller.optional(),
  time: z.object({ created: z.number() }),
})
export type StandingGrant = z.infer<typeof StandingGrant>
