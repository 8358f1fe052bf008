import type { z } from "zod"
import type { DirectoryLimits } from "../../ground/file/directory-limits.ts"
import type { DirectoryInstructions } from "../../ground/message/instruction-block.ts"
import type { Inquiry } from "../../ground/rule/is-inquiry.ts"
import type { ModelRef, PermissionRequest } from "../../ground/schema/index.ts"
import type { ToolAttachment } from "../../ground/schema/part.ts"
import type { FileWriting, MetadataOf } from "../../ground/schema/tool-metadata.ts"
import type { BoundCommand } from "../bound/bounds.ts"
import type { ClosedFile, PermissionAsk } from "../permission/judge.ts"
import type { CommandVariables } from "../sandbox/command-env.ts"
import type { Confinement } from "../sandbox/confinement.ts"
import type { Machine } from "./machine.ts"

/** What a call may know of the session's transcript, as far as the model reads it. */
export interface EarlierCalls {
  /**
   * When the last completed call of one of these tools began (epoch ms), and its part. A compaction after it counts
   * in its place, because the model knows what that carried over. Null for none.
   */
  last(tools: readonly string[]): { at: number; partID: string | null } | null
  includes(messageID: string): boolean
}

/** Holds Docket's data or the user's own configuration: no tool changes what lies there. Paths are absolute. */
export interface OwnDirectory {
  path: string
  /** A directory in it whose files are changed as any others: that of the tasks' worktrees. */
  except?: string
}

/** What the session has seen of files, named as in a call's metadata. */
export interface KnownFiles {
  /** How the file was when an answer last read or wrote it, up to the answer `messageID`; empty when none did. */
  versions(file: string, messageID: string): Promise<string[]>
  /** A call of this answer has written it: others of the answer may go on from there. */
  wrote(file: string, version: string): void
}

/** A whole file as a tool read or wrote it. */
export interface FileContent {
  bytes: Buffer
  /** Permission bits. */
  mode: number
  /** Of the file then, by which a later change is seen; null if it might not be. See `settledStamp`. */
  stamp: string | null
}

/** What a running call of the tool `ID` may use. */
export interface ToolContext<ID extends string = string> extends Machine {
  sessionID: string
  messageID: string
  partID: string
  callID: string
  agent: string
  model: ModelRef
  /** The session's directory: relative paths start here. */
  directory: string
  /** The git top level, or the directory itself: file tools stay inside it. */
  worktree: string
  /** Where long outputs are saved in full (absolute, exists). */
  outputDirectory: string
  ownDirectories: readonly OwnDirectory[]
  /** What of this machine is the workspace's: outside it nothing is opened, whoever would allow it. */
  directoryLimits: DirectoryLimits
  /** Real paths of what the agent's skills bring: read without a question, also outside the worktree. */
  skillDirectories: readonly string[]
  /** A plan that lies with Docket's own data, where it is read without a question; null for none. */
  ownPlan: OwnPlan | null
  /** Which files commands may not read without leave. */
  closed: {
    /** Only what one of these matches may be closed. */
    patterns: readonly string[]
    /** Those of some files, named as tools name them, that are closed to a command. */
    among(files: readonly string[], command: string): Promise<ClosedFile[]>
  }
  /** How programs run that a call starts for the model. */
  confinement(): Promise<Confinement>
  /** Which variables of the service these programs get. */
  variables(): Promise<CommandVariables>
  /** The environment of a command in a directory (absolute), as extensions leave it. */
  shellEnv(env: Record<string, string>, cwd: string): Promise<Record<string, string>>
  /** Holds a command, known by its `mark`, to the limits of the session's project; null where nothing does. */
  bound(work: { mark: string; isHeld: boolean }): Promise<BoundCommand | null>
  signal: AbortSignal
  earlier: EarlierCalls
  /**
   * Instructions of the directories above a file, named as in a call's metadata, that the model does not have yet. Each is
   * returned once.
   */
  newInstructions(file: string): DirectoryInstructions[]
  /** Null when the agent cannot read files: then it may change what it has not seen. */
  known: KnownFiles | null
  /** Shows progress on the tool card; later calls merge over earlier ones. */
  progress(update: { title?: string; metadata?: Partial<MetadataOf<ID>> }): void
  /** Call when nothing is left but to wait for others' work: the calls after this one need not wait for it. */
  underWay(): void
  /**
   * Call when everything is allowed and just before files change, so that undo can bring them back. With `file` (a
   * real path) only that one changes, `now` being its content if the tool has just read it; without it any may, if the
   * tool has `anyFile`. Resolves when their state is kept.
   */
  beforeChange(file?: string, now?: FileContent): Promise<void>
  /**
   * Notes what the call is about to write, for a restart that finds it running; for tools with `notesWriting`. Resolves
   * when it is stored.
   */
  noteWriting(writing: FileWriting): Promise<void>
  /** Tells what the tool wrote into a file (a real path). Resolves with what the model is told of it; null for nothing. */
  afterChange(file: string, written: FileContent): Promise<string | null>
  /** Resolves when allowed. Rejects with PermissionDeniedError or PermissionRejectedError. */
  ask(request: PermissionAsk): Promise<void>
  /**
   * Asks a person what they want; resolves with the request as it was answered or dismissed. Rejects as `ask`. After a
   * restart the call is made again and gets the same answer.
   */
  inquire(request: { permission: string; metadata: Inquiry }): Promise<PermissionRequest>
  /**
   * Call with the commands that may change something, before anybody is asked. @throws PermissionDeniedError where only
   * commands that read are run
   */
  refuseChanges(commands: string[]): Promise<void>
}

/** A session's plan among Docket's own data. */
export interface OwnPlan {
  /** Its real path. */
  file: string
  mayEdit: boolean
}

/** What a tool knows when it asks: where the call is made, and whom to ask. */
export type AskPlace = Pick<
  ToolContext,
  | "directory"
  | "worktree"
  | "outputDirectory"
  | "ownDirectories"
  | "directoryLimits"
  | "skillDirectories"
  | "ownPlan"
  | "ask"
  | "refuseChanges"
>

export interface ToolResult<ID extends string = string> {
  /** Short, for the card: a path, a command, a count. */
  title: string
  /** What the model reads. */
  output: string
  /** Files beside it; a model that cannot read one is told so. */
  attachments?: readonly ToolAttachment[]
  /** What the UI draws, and what later calls know of this one. */
  metadata: MetadataOf<ID>
  /** The turn is over with this step: somebody else goes on. */
  ends?: true
}

/** A failure that says itself what came of the call, also when the turn was stopped meanwhile. */
export class CallOutcome extends Error {
  /** The user rejected, without a word, a call of the task that this call waited for. */
  readonly rejectedWithin: boolean

  constructor(message: string, { rejectedWithin = false } = {}) {
    super(message)
    this.rejectedWithin = rejectedWithin
  }
}

/** Parameters of a tool that has no Zod for them: of a server, or of a plugin. */
export interface SchemaParameters {
  /** JSON Schema of an object, as the model reads it. */
  jsonSchema: Record<string, unknown>
  /** @returns the arguments, or what is wrong with them, a line each */
  parse(input: unknown): { args: unknown } | { problems: readonly string[] }
}

export type ToolParameters = z.ZodType | SchemaParameters

type Arguments<Parameters extends ToolParameters> = Parameters extends z.ZodType ? z.output<Parameters> : unknown

/** A tool. Throw to fail the call: the message reaches the model, so say what to do instead. */
export interface Tool<Parameters extends ToolParameters = ToolParameters, ID extends string = string> {
  id: ID
  description: string
  /** Of Zod, a strict object: an argument that is not known is refused, see `parseArguments`. */
  parameters: Parameters
  /** The permission that hides the tool when it is denied for every pattern; edit and write share `edit`. */
  permission: string
  /** False when a call waits for those before it in its step, and those after it wait for it. */
  parallel: boolean
  /** True when a call may change files that it does not name. */
  anyFile?: boolean
  /** True when a call changes one file, and says so by `noteWriting` before. */
  notesWriting?: boolean
  /** Arguments, nested ones too, that models add from habit and that say nothing new: they are left out. */
  ignores?: readonly string[]
  /** True when a call only waits for tasks, whose time counts by itself. */
  waits?: boolean
  execute(args: Arguments<Parameters>, context: ToolContext<ID>): Promise<ToolResult<ID>>
}

/** A tool whose calls keep what its entry in `ToolMetadata` says; one without an entry keeps nothing. */
export function defineTool<Parameters extends ToolParameters, ID extends string>(
  tool: Tool<Parameters, ID>,
): Tool<Parameters> {
  return tool
}
