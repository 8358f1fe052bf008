import * as z from "zod/mini"
import type { MemoryType } from "./memory.ts"
import type { TaskState } from "./task.ts"
import type { TodoPriority, TodoStatus } from "./todo.ts"

/** What a person may choose as an answer. */
export const QuestionOption = z.object({ label: z.string(), description: z.string() })
export type QuestionOption = z.infer<typeof QuestionOption>

/** One question of an agent, as people read it: it holds no characters that nobody sees. */
export const Question = z.object({
  /** A word or two over it. */
  header: z.string(),
  question: z.string(),
  /** No two have the same label. None where only an answer in one's own words is wanted. */
  options: z.array(QuestionOption),
  /** Several options may be chosen, and own words beside them. */
  multiple: z.boolean(),
})
export type Question = z.infer<typeof Question>

/** What a person answers to one question: labels of its options, or their own words; neither leaves it out. */
export const QuestionAnswer = z.object({ choices: z.array(z.string()), own: z.nullable(z.string()) })
export type QuestionAnswer = z.infer<typeof QuestionAnswer>

/**
 * What the calls of each tool keep in `state.metadata` for the web, the share page and the terminal to draw. Paths are
 * relative to the worktree, absolute when they lie outside it. `truncated` says that the model saw less than
 * everything; `outputPath` is where the full text lies then (absolute, on the host).
 *
 * Browsers read it too: `zod/mini` is small. The policy of the pages forbids code that is made at run time, and a
 * browser reports even the question whether it may be made: there it is not asked.
 */
if ("document" in globalThis) z.config({ jitless: true })

/** Put there by the tool runner when it shortened an output itself. */
const shortened = { truncated: z.optional(z.boolean()), outputPath: z.optional(z.nullable(z.string())) }

/** A file's state in a word: it changes whenever the file is written. */
const FileVersion = z.string()

/**
 * What is noted of a call of any tool that did not end by its tool; nothing for one that did. Read with `readCallEnd`.
 */
export const CallEnd = z.object({
  /** The turn or the process was stopped while it ran or before. */
  interrupted: z.optional(z.literal(true)),
  /** It had not begun when it was stopped. */
  unstarted: z.optional(z.literal(true)),
  /** The user rejected it, or a call before it for which it was not run. */
  rejected: z.optional(z.literal(true)),
  /** The whole file that the error showed, which counts as read in this version. */
  seen: z.optional(z.object({ file: z.string(), version: FileVersion })),
})
export type CallEnd = z.infer<typeof CallEnd>

/** How a person with an account answered what a call of any tool asked leave for last. Read with `readCallLeave`. */
export const CallLeave = z.object({
  leave: z.object({
    status: z.enum(["once", "always", "rejected"]),
    by: z.string(),
    /** What they were called then. */
    byName: z.string(),
  }),
})
export type CallLeave = z.infer<typeof CallLeave>

/** What an extension changed of a call of any tool, or decided about it. */
const CallChange = z.object({
  /**
   * `unchecked`: it was to look at the call and failed. `said`: the reason is what it told the model, at the end of the result.
   */
  what: z.enum(["arguments", "result", "blocked", "allowed", "unchecked", "remark", "said"]),
  /** The extension, as people know it: `plugin name`. */
  by: z.string(),
  /** In words for people. */
  reason: z.optional(z.string()),
})
export type CallChange = z.infer<typeof CallChange>

/** What extensions changed of a call of any tool, in order. Read with `readCallChanges`. */
export const CallChanges = z.object({ changed: z.array(CallChange) })
export type CallChanges = z.infer<typeof CallChanges>

/** The words of the schema, which browsers do not load; the compiler compares them. */
const TodoStatusName = z.enum({
  pending: "pending",
  in_progress: "in_progress",
  completed: "completed",
  cancelled: "cancelled",
} satisfies { [Name in TodoStatus]: Name })
const TodoPriorityName = z.enum({ high: "high", medium: "medium", low: "low" } satisfies {
  [Name in TodoPriority]: Name
})
const MemoryTypeName = z.enum({
  user: "user",
  feedback: "feedback",
  project: "project",
  reference: "reference",
  learning: "learning",
  context: "context",
} satisfies { [Name in MemoryType]: Name })
const TaskStateName = z.enum({
  queued: "queued",
  running: "running",
  awaiting_review: "awaiting_review",
  completed: "completed",
  failed: "failed",
  cancelled: "cancelled",
  timed_out: "timed_out",
  interrupted: "interrupted",
} satisfies { [Name in TaskState]: Name })

/**
 * `read`: a text file, a directory listing, a picture or PDF (`media`, without lines) or a notebook. Line numbers count
 * from 1; `totalLines` is null when not counted.
 */
export const ReadMetadata = z.object({
  kind: z.enum(["file", "directory", "media", "notebook"]),
  file: z.string(),
  startLine: z.int(),
  endLine: z.int(),
  totalLines: z.nullable(z.int()),
  truncated: z.boolean(),
  /** Calls on directories have none. */
  version: z.optional(FileVersion),
  /** Instructions that were told with the file, each with the state in which it was. */
  instructions: z.optional(z.array(z.object({ name: z.string(), version: FileVersion }))),
})
export type ReadMetadata = z.infer<typeof ReadMetadata>

/** `edit`, `multiedit` and `write`; their permission request carries the same. `diff` is a unified diff of one file. */
export const FileChangeMetadata = z.object({
  file: z.string(),
  diff: z.string(),
  additions: z.int(),
  deletions: z.int(),
  /** The file did not exist before. */
  created: z.boolean(),
  /** The file exists no more. */
  removed: z.optional(z.literal(true)),
  /** The file that was moved here, which the diff compares with. */
  movedFrom: z.optional(z.string()),
  /** The diff was too large to keep; the counts may be estimates then. */
  diffOmitted: z.boolean(),
  truncated: z.boolean(),
  /** Of the file as it was written; missing while leave is asked. */
  version: z.optional(FileVersion),
  /** The language servers that the call waits for to check the file. */
  waitsFor: z.optional(z.array(z.string())),
})
export type FileChangeMetadata = z.infer<typeof FileChangeMetadata>

/** `apply_patch`: each file once, in the order of the patch; a moved file is followed by its removed old place. */
export const PatchMetadata = z.object({ changes: z.array(FileChangeMetadata), truncated: z.boolean() })
export type PatchMetadata = z.infer<typeof PatchMetadata>

/**
 * What a call that changes files is about to do to its file: noted while it runs, and gone when it has ended. A
 * restart compares it with the file.
 */
export const FileWriting = z.object({
  /** The real path. */
  path: z.string(),
  /** SHA-256 of the content (hex); `before` is null where there is no file. */
  before: z.nullable(z.string()),
  /** Null where the file is removed. */
  after: z.nullable(z.string()),
  /** The name of the file beside it that is renamed to it. */
  temporary: z.string(),
  /** What the call ends with when it is done. */
  title: z.string(),
  output: z.string(),
  change: FileChangeMetadata,
})
export type FileWriting = z.infer<typeof FileWriting>

/**
 * What a running call is about to write, null until it comes to that. A call that may change several files notes them in
 * `writings`. Read with `readCallWritings`.
 */
export const CallWriting = z.object({
  writing: z.nullable(FileWriting),
  writings: z.optional(z.array(FileWriting)),
})
export type CallWriting = z.infer<typeof CallWriting>

/** What a command left behind and could not keep. */
export const LeftBehind = z.object({
  /**
   * Git's settings, hooks and pointers in place; configuration by moving it away; neither could be done; or nobody
   * could look there.
   */
  kind: z.enum(["switched-off", "moved-aside", "still-there", "not-looked-at"]),
  /** In the worktree, below `~`, or absolute. */
  path: z.string(),
  /** Keys of settings, or names of files. */
  what: z.array(z.string()),
  /** Where it is now. */
  aside: z.optional(z.string()),
  /** A person allows it by this id; without one, only by hand. */
  id: z.optional(z.string()),
})
export type LeftBehind = z.infer<typeof LeftBehind>

/** `bash`, while running: `command`, `description` and `output`; the rest when it ended. */
export const BashMetadata = z.object({
  command: z.string(),
  description: z.string(),
  /** The newest output, at most 30,000 characters; of terminal control codes only colours (SGR). */
  output: z.string(),
  /** Null while running and when a signal ended the command. */
  exit: z.optional(z.nullable(z.int())),
  signal: z.optional(z.nullable(z.string())),
  timedOut: z.optional(z.boolean()),
  /** The limit for which it was ended: a number of processes, or bytes. */
  over: z.optional(
    z.object({
      limit: z.enum(["processes", "memory", "written", "free"]),
      scope: z.enum(["command", "all"]),
      value: z.number(),
    }),
  ),
  /** Milliseconds. */
  duration: z.optional(z.number()),
  /** Known to change no file, so that undo needs no snapshot of it. */
  readOnly: z.optional(z.literal(true)),
  /** Files that it may have wanted to open and for which it has no leave, named as in the permission `read`. */
  closed: z.optional(z.array(z.string())),
  /** What it left and could not keep. */
  leftBehind: z.optional(z.array(LeftBehind)),
  /** Processes that the command left running. */
  background: z.optional(z.array(z.int())),
  ...shortened,
})
export type BashMetadata = z.infer<typeof BashMetadata>

/** `glob`: files, the most recently changed first. */
export const GlobMetadata = z.object({
  count: z.int(),
  files: z.array(z.string()),
  truncated: z.boolean(),
})
export type GlobMetadata = z.infer<typeof GlobMetadata>

/** `grep`: matching lines by file, the most recently changed file first. */
export const GrepMetadata = z.object({
  /** Matching lines that are shown. */
  matches: z.int(),
  files: z.array(z.object({ file: z.string(), lines: z.array(z.object({ line: z.int(), text: z.string() })) })),
  truncated: z.boolean(),
})
export type GrepMetadata = z.infer<typeof GrepMetadata>

/** `list`: a directory tree, as indented text in the tool's output. */
export const ListMetadata = z.object({ directory: z.string(), count: z.int(), truncated: z.boolean() })
export type ListMetadata = z.infer<typeof ListMetadata>

/** `lsp`: the places that a language server named. */
export const LspMetadata = z.object({
  operation: z.enum(["definition", "references", "hover", "symbols"]),
  file: z.string(),
  count: z.int(),
  truncated: z.boolean(),
})
export type LspMetadata = z.infer<typeof LspMetadata>

/** The todo tools: the session's whole list in its order, and the items that the call changed. */
export const TodoMetadata = z.object({
  todos: z.array(z.object({ id: z.string(), content: z.string(), status: TodoStatusName, priority: TodoPriorityName })),
  /** `from` is null for an item that is new, `to` for one that is gone. Calls that only read have none. */
  changed: z.optional(
    z.array(z.object({ content: z.string(), from: z.nullable(TodoStatusName), to: z.nullable(TodoStatusName) })),
  ),
  truncated: z.boolean(),
})
export type TodoMetadata = z.infer<typeof TodoMetadata>

/** `memory`: the entries that the call recorded, found, read or invalidated. */
export const MemoryMetadata = z.object({
  action: z.enum(["add", "search", "list", "get", "invalidate"]),
  entries: z.array(z.object({ id: z.string(), number: z.int(), type: MemoryTypeName, title: z.string() })),
  truncated: z.boolean(),
})
export type MemoryMetadata = z.infer<typeof MemoryMetadata>

/**
 * `question`: what was asked and, once there is one, the answer: `answers` has one for each question, null when
 * dismissed.
 */
export const QuestionMetadata = z.object({
  questions: z.array(Question),
  answers: z.optional(z.nullable(z.array(QuestionAnswer))),
  /** Who answered or dismissed it, and what they were called then. */
  by: z.optional(z.string()),
  byName: z.optional(z.string()),
  /** The words with a dismissal. */
  message: z.optional(z.string()),
  ...shortened,
})
export type QuestionMetadata = z.infer<typeof QuestionMetadata>

/** `plan_exit`: the plan as it was handed over, then as it was decided on. */
export const PlanMetadata = z.object({
  /** As its session knows it: relative to the worktree, or absolute. */
  file: z.string(),
  text: z.string(),
  decision: z.optional(z.enum(["approved", "approved_freely", "sent_back", "closed"])),
  /** It was edited before it was decided on. */
  edited: z.optional(z.boolean()),
  /** Why it was sent back, in the person's words. */
  comments: z.optional(z.string()),
  /** Who decided, and what they were called then. */
  by: z.optional(z.string()),
  byName: z.optional(z.string()),
  ...shortened,
})
export type PlanMetadata = z.infer<typeof PlanMetadata>

/** `skill`: the one that the call loaded. `directory` is absolute. */
export const SkillMetadata = z.object({
  name: z.string(),
  from: z.enum(["user", "project"]),
  directory: z.string(),
  /** Files beside its text. */
  files: z.int(),
  ...shortened,
})
export type SkillMetadata = z.infer<typeof SkillMetadata>

/** `task`: how the child session goes on, as of its newest event. */
export const TaskMetadata = z.object({
  sessionId: z.string(),
  agent: z.string(),
  model: z.object({ providerID: z.string(), modelID: z.string() }),
  description: z.string(),
  state: TaskStateName,
  /** The newest calls of the child; `toolCount` counts all. */
  summary: z.array(
    z.object({
      id: z.string(),
      tool: z.string(),
      status: z.enum(["pending", "running", "completed", "error"]),
      title: z.string(),
    }),
  ),
  toolCount: z.int(),
  /** Epoch ms. */
  startedAt: z.number(),
  /** ms */
  elapsed: z.number(),
  /** What the task used, with all that was delegated in it. */
  tokens: z.number(),
  /** USD */
  cost: z.number(),
  /**
   * How much of the call's output, from its beginning, is the child's answer (UTF-16 units): the rest is for the model.
   */
  answerLength: z.optional(z.int()),
  /** Why it ended without completing, for people. */
  failure: z.optional(z.string()),
  /** The call has ended before its task, which goes on. */
  background: z.optional(z.boolean()),
  ...shortened,
})
export type TaskMetadata = z.infer<typeof TaskMetadata>

/** A task that a call made or speaks of, as it stood then. */
export const AsyncTaskMetadata = z.object({
  taskId: z.string(),
  number: z.int(),
  sessionId: z.string(),
  agent: z.string(),
  description: z.string(),
  state: TaskStateName,
})
export type AsyncTaskMetadata = z.infer<typeof AsyncTaskMetadata>

/** The tools for tasks that run: those that were found, in the order in which they were asked for. */
const TasksMetadata = z.object({ tasks: z.array(AsyncTaskMetadata), ...shortened })

/** `webfetch`: the address that answered, after redirects. */
export const WebfetchMetadata = z.object({
  url: z.string(),
  format: z.enum(["markdown", "text", "html"]),
  /** Of the answer, without its compression. */
  bytes: z.int(),
  mediaType: z.string(),
  ...shortened,
})
export type WebfetchMetadata = z.infer<typeof WebfetchMetadata>

/** `websearch`: what was found, the best first. */
export const WebsearchMetadata = z.object({
  query: z.string(),
  results: z.array(z.object({ title: z.string(), url: z.string() })),
  ...shortened,
})
export type WebsearchMetadata = z.infer<typeof WebsearchMetadata>

/**
 * `batch`: how each call ended; those over the limit are only in `total`. `partID` is missing where a call was not made;
 * `cut`: the model has read only the beginning of its output.
 */
export const BatchMetadata = z.object({
  calls: z.array(
    z.object({
      tool: z.string(),
      done: z.boolean(),
      partID: z.optional(z.string()),
      cut: z.optional(z.literal(true)),
    }),
  ),
  total: z.int(),
  ...shortened,
})
export type BatchMetadata = z.infer<typeof BatchMetadata>

/** `tool_search`: the names of the tools that were found, the best first. */
export const ToolSearchMetadata = z.object({ query: z.string(), found: z.array(z.string()), ...shortened })

/** A tool that is not Docket's own keeps nothing of its own. */
export const OtherMetadata = z.object(shortened)
export type OtherMetadata = z.infer<typeof OtherMetadata>

/** Docket's own tools, each with what its calls keep: the call names the tool, its metadata does not. */
export const ToolMetadata = z.discriminatedUnion("tool", [
  z.extend(ReadMetadata, { tool: z.literal("read") }),
  z.extend(FileChangeMetadata, { tool: z.literal("edit") }),
  z.extend(FileChangeMetadata, { tool: z.literal("multiedit") }),
  z.extend(FileChangeMetadata, { tool: z.literal("write") }),
  z.extend(PatchMetadata, { tool: z.literal("apply_patch") }),
  z.extend(BashMetadata, { tool: z.literal("bash") }),
  z.extend(WebfetchMetadata, { tool: z.literal("webfetch") }),
  z.extend(WebsearchMetadata, { tool: z.literal("websearch") }),
  z.extend(BatchMetadata, { tool: z.literal("batch") }),
  z.extend(ToolSearchMetadata, { tool: z.literal("tool_search") }),
  z.extend(GlobMetadata, { tool: z.literal("glob") }),
  z.extend(GrepMetadata, { tool: z.literal("grep") }),
  z.extend(ListMetadata, { tool: z.literal("list") }),
  z.extend(LspMetadata, { tool: z.literal("lsp") }),
  z.extend(TodoMetadata, { tool: z.literal("todowrite") }),
  z.extend(TodoMetadata, { tool: z.literal("todoread") }),
  z.extend(TodoMetadata, { tool: z.literal("todoupdate") }),
  z.extend(MemoryMetadata, { tool: z.literal("memory") }),
  z.extend(QuestionMetadata, { tool: z.literal("question") }),
  z.extend(PlanMetadata, { tool: z.literal("plan_exit") }),
  z.extend(OtherMetadata, { tool: z.literal("plan_enter") }),
  z.extend(SkillMetadata, { tool: z.literal("skill") }),
  z.extend(TaskMetadata, { tool: z.literal("task") }),
  z.extend(AsyncTaskMetadata, { tool: z.literal("async_task") }),
  z.extend(TasksMetadata, { tool: z.literal("async_task_result") }),
  z.extend(TasksMetadata, { tool: z.literal("async_task_gather") }),
  z.extend(TasksMetadata, { tool: z.literal("async_task_cancel") }),
  z.extend(TasksMetadata, { tool: z.literal("task_message") }),
])
export type ToolMetadata = z.infer<typeof ToolMetadata>
export type ToolName = ToolMetadata["tool"]

/** Permissions that are no tool's name. */
export const otherPermissions: readonly string[] =
  "acp bash_change doom_loop external_directory read_mcp_resource sandbox schedule".split(" ")

export const toolNames: readonly ToolName[] = ToolMetadata.def.options.flatMap(({ shape }) => shape.tool.def.values)

/** What calls of one tool keep. */
export type MetadataOf<ID extends string> = string extends ID
  ? Record<string, unknown>
  : ID extends ToolName
    ? Omit<Extract<ToolMetadata, { tool: ID }>, "tool">
    : OtherMetadata

/** The tools that show the list of todos as it stands. */
export const todoTools: readonly string[] = ["todowrite", "todoread", "todoupdate"] satisfies ToolName[]
