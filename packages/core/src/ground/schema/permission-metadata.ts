import { z } from "zod"
import { PartID } from "./ids.ts"
import { Question } from "./question.ts"
import { FileChangeMetadata } from "./tool-metadata.ts"

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
   * A plan that is handed over, in its file as the session knows it. `version` is that of its text then, `partID` the call;
   * the question is whether to carry it out.
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
