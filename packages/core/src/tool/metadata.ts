import { z } from "zod"
import { MemoryType } from "../schema/memory.ts"
import { Todo } from "../schema/todo.ts"

/**
 * What each tool puts into `state.metadata` for the web, the share page and the terminal to draw. Paths are
 * relative to the worktree, absolute when they lie outside it. `truncated` says that the model saw less than
 * everything; `outputPath` is where the full text lies then (absolute, on the host).
 */

/** A file's state in a word: it changes whenever the file is written. */
const FileVersion = z.string()

/** Which file a call has shown or written, and how it was then. Calls on directories have no version. */
export const SeenFile = z.object({ file: z.string(), version: FileVersion })
export type SeenFile = z.infer<typeof SeenFile>

/** `read`: a text file or a directory listing. Line numbers count from 1; `totalLines` is null when not counted. */
export const ReadMetadata = z.object({
  kind: z.enum(["file", "directory"]),
  file: z.string(),
  startLine: z.number().int(),
  endLine: z.number().int(),
  totalLines: z.number().int().nullable(),
  truncated: z.boolean(),
  version: FileVersion.optional(),
})
export type ReadMetadata = z.infer<typeof ReadMetadata>

/** `edit` and `write`; their permission request carries the same. `diff` is a unified diff of one file. */
export const FileChangeMetadata = z.object({
  file: z.string(),
  diff: z.string(),
  additions: z.number().int(),
  deletions: z.number().int(),
  /** The file did not exist before. */
  created: z.boolean(),
  /** The diff was too large to keep; the counts may be estimates then. */
  diffOmitted: z.boolean(),
  truncated: z.boolean(),
  /** As it was written; not there while leave is asked. */
  version: FileVersion.optional(),
})
export type FileChangeMetadata = z.infer<typeof FileChangeMetadata>

/** `bash`, while running: `command`, `description` and `output`; the rest when it ended. */
export const BashMetadata = z.object({
  command: z.string(),
  description: z.string(),
  /** The newest output, at most 30,000 characters, without terminal control codes. */
  output: z.string(),
  /** Null while running and when a signal ended the command. */
  exit: z.number().int().nullable().optional(),
  signal: z.string().nullable().optional(),
  timedOut: z.boolean().optional(),
  /** Milliseconds. */
  duration: z.number().optional(),
  /** Processes that the command left running. */
  background: z.array(z.number().int()).optional(),
  truncated: z.boolean().optional(),
  outputPath: z.string().nullable().optional(),
})
export type BashMetadata = z.infer<typeof BashMetadata>

/** `glob`: files, the most recently changed first. */
export const GlobMetadata = z.object({
  count: z.number().int(),
  files: z.array(z.string()),
  truncated: z.boolean(),
})
export type GlobMetadata = z.infer<typeof GlobMetadata>

/** `grep`: matching lines by file, the most recently changed file first. */
export const GrepMetadata = z.object({
  /** Matching lines that are shown. */
  matches: z.number().int(),
  files: z.array(
    z.object({ file: z.string(), lines: z.array(z.object({ line: z.number().int(), text: z.string() })) }),
  ),
  truncated: z.boolean(),
})
export type GrepMetadata = z.infer<typeof GrepMetadata>

/** `list`: a directory tree, as indented text in the tool's output. */
export const ListMetadata = z.object({ directory: z.string(), count: z.number().int(), truncated: z.boolean() })
export type ListMetadata = z.infer<typeof ListMetadata>

/** `todowrite` and `todoread`: the session's whole list in its order. */
export const TodoMetadata = z.object({ todos: z.array(Todo), truncated: z.boolean() })
export type TodoMetadata = z.infer<typeof TodoMetadata>

/** `memory`: the entries that the call recorded, found, read or invalidated. */
export const MemoryMetadata = z.object({
  action: z.enum(["add", "search", "list", "get", "invalidate"]),
  entries: z.array(z.object({ id: z.string(), number: z.number().int(), type: MemoryType, title: z.string() })),
  truncated: z.boolean(),
})
export type MemoryMetadata = z.infer<typeof MemoryMetadata>

/** Put there by the tool runner when it shortened an output itself. */
export const TruncationMetadata = z.object({ truncated: z.literal(true), outputPath: z.string() })
export type TruncationMetadata = z.infer<typeof TruncationMetadata>
