import type { z } from "zod"
import type { DirectoryLimits } from "../../ground/file/directory-limits.ts"
import type { DirectoryInstructions } from "../../ground/message/instruction-block.ts"
import type { Inquiry } from "../../ground/rule/is-inquiry.ts"
import type { ModelRef, PermissionRequest } from "../../ground/schema/index.ts"
import type { ToolAttachment, ToolState } from "../../ground/schema/part.ts"
import type { FileWriting, MetadataOf } from "../../ground/schema/tool-metadata.ts"
import type { BoundCommand } from "../bound/bounds.ts"
import type { ClosedFile, PermissionAsk } from "../permission/judge.ts"
import type { CommandVariables } from "../sandbox/command-env.ts"
import type { Confinement } from "../sandbox/confinement.ts"
import type { Machine } from "./machine.ts"

/** The earlier calls of the session, as far as the model still reads them. */
export interface EarlierCalls {
  /**
   * When the last completed call of one of these tools began (epoch ms), and its part. A later compaction counts
   * instead, because its summary carries the knowledge over. Null for none.
   */
  last(tools: readonly string[]): { at: number; partID: string | null } | null
  includes(messageID: string): boolean
}

/** A directory with Docket's data or the user's own configuration: no tool changes files in it. Paths are absolute. */
export interface OwnDirectory {
  path: string
  /** A directory in it whose files may be changed: the one with the worktrees of tasks. */
  except?: string
}

/** Which versions of files the session has seen; files are named as in a call's metadata. */
export interface KnownFiles {
  /** The versions of the file that answers up to `messageID` read or wrote last; empty when none did. */
  versions(file: string, messageID: string): Promise<string[]>
  /** A call of this answer wrote the file; other calls of the answer may continue from that version. */
  wrote(file: string, version: string): void
}

/** A whole file as a tool read or wrote it. */
export interface FileContent {
  bytes: Buffer
  /** Permission bits. */
  mode: number
  /** The stamp of the file at that time, to detect a later change; null if it is not reliable. See `settledStamp`. */
  stamp: string | null
}

/** A call of a batch that is run. */
export interface BatchedCall {
  tool: string
  input: Record<string, unknown>
}

/** How a call of a batch ended. */
export interface BatchedResult {
  partID: string
  tool: string
  state: Extract<ToolState, { status: "completed" | "error" }>
}

/** A text that a call is about to write into a file. */
export interface PlannedText {
  /** Absolute and real. */
  file: string
  /** As the model names it. */
  name: string
  /** The text that the file has now; null for a new file. */
  before: string | null
  text: string
  /** Whether the agent may see lines of the file. */
  mayShow: boolean
  /** What the model is told of it. */
  notes: readonly string[]
}

/** What the turn's model is asked on behalf of a call. */
export interface AskedModel {
  system?: string | undefined
  messages: readonly { role: "user" | "assistant"; text: string }[]
  maxTokens: number
  temperature?: number | undefined
  /** Texts at which the answer ends. */
  stop?: readonly string[] | undefined
}

export interface ModelAnswer {
  text: string
  model: ModelRef
  /** It has as many tokens as were allowed. */
  isCut: boolean
}

/** Where a command is about to start. */
export interface CommandStart {
  /** Absolute. */
  cwd: string
  /** Whether the sandbox confines it. */
  isConfined: boolean
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
  /** The directories of this machine that belong to the workspace. Nothing outside is opened, even with permission. */
  directoryLimits: DirectoryLimits
  /** Real paths of the directories of the agent's skills: read without asking, also outside the worktree. */
  skillDirectories: readonly string[]
  /** The session's plan if it is stored in Docket's data, where it is read without asking; null for none. */
  ownPlan: OwnPlan | null
  /** Which files commands may not read without permission. */
  closed: {
    /** Only files that match one of these patterns can be closed. */
    patterns: readonly string[]
    /** Returns those of the files, named as tools name them, that are closed to this command. */
    among(files: readonly string[], command: string): Promise<ClosedFile[]>
  }
  /** How to confine the programs that a call starts for the model. */
  confinement(): Promise<Confinement>
  /** Which environment variables of the service these programs get. */
  variables(): Promise<CommandVariables>
  /**
   * Whether the rules let the address be fetched though it leads to this machine or its networks: they have to name its host
   * and port.
   */
  mayReachLocally(address: URL): boolean
  /** The environment of a command, after extensions changed it. */
  shellEnv(env: Record<string, string>, command: CommandStart): Promise<Record<string, string>>
  /** Applies the limits of the session's project to a command, found by its `mark`; null when nothing limits it. */
  bound(work: { processTag: string; isHeld: boolean }): Promise<BoundCommand | null>
  signal: AbortSignal
  earlier: EarlierCalls
  /**
   * Instructions of the directories above a file, named as in a call's metadata, that the model does not have yet. Each is
   * returned once.
   */
  newInstructions(file: string): DirectoryInstructions[]
  /** Null when the agent cannot read files; then it may change files that it has not seen. */
  known: KnownFiles | null
  /** Shows progress on the tool card; later calls are merged over earlier ones. */
  progress(update: { title?: string; metadata?: Partial<MetadataOf<ID>> }): void
  /** Call it when the tool only waits for other work: the calls after this one then start at once. */
  underWay(): void
  /**
   * Call it when everything is allowed and just before files change, so that undo can restore them. With `file` (a real
   * path) only that file changes; `now` is its content if the tool has just read it. Without `file` any file may
   * change, if the tool has `anyFile`. Resolves when the state is saved.
   */
  beforeChange(file?: string, now?: FileContent): Promise<void>
  /**
   * What is written in place of texts, with notes for the model. Call it when everything is allowed, before anything is
   * noted or written.
   */
  beforeWrite(texts: readonly PlannedText[]): Promise<readonly PlannedText[]>
  /**
   * Records the planned writes, for a restart in the middle of the call; for tools with `notesWriting`. Resolves when it
   * is stored.
   */
  noteWriting(writings: readonly FileWriting[]): Promise<void>
  /**
   * Reports what the tool wrote into a file (a real path), null where it removed it. Resolves with a note for the model;
   * null for none. `before` is the text that it had, null for a new file.
   */
  afterChange(file: string, written: FileContent | null, before?: string | null): Promise<string | null>
  /**
   * Makes calls of other tools in place of this call, each recorded, judged and run as its own; for `batch`. Resolves with
   * how they ended, in their order; fewer when a limit allows no more. After a restart it continues.
   */
  runCalls(calls: readonly BatchedCall[]): Promise<BatchedResult[]>
  /**
   * Keeps a file for `ToolResult.attachments`. Its type is that of its content.
   * @throws MediaProblem for a content that no provider takes
   */
  keepFile(file: { bytes: Buffer; filename: string }): Promise<ToolAttachment>
  /** Resolves when allowed. Rejects with PermissionDeniedError or PermissionRejectedError. */
  ask(request: PermissionAsk): Promise<void>
  /**
   * Asks the user a question; resolves with the request once it is answered or dismissed. Rejects as `ask` does. After
   * a restart the call is made again and gets the same answer.
   */
  inquire(request: { permission: string; metadata: Inquiry }): Promise<PermissionRequest>
  /**
   * Lets the turn's model answer, without tools; what it uses counts for the session and the limits of its tree. Ask the
   * user before.
   * @throws Error with the reason why there is no answer
   */
  askModel(asked: AskedModel): Promise<ModelAnswer>
  /**
   * Call it with the commands that may change something, before the user is asked.
   * @throws PermissionDeniedError where only commands that read may run
   */
  refuseChanges(commands: string[]): Promise<void>
}

/** A session's plan in Docket's own data. */
export interface OwnPlan {
  /** Its real path. */
  file: string
  mayEdit: boolean
}

/** The part of the context that a permission request needs. */
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
  /**
   * Files that go with the output, kept by `keepFile` or as `data:` addresses; a model that cannot read one gets a text
   * instead.
   */
  attachments?: readonly ToolAttachment[]
  /** Data that the UI draws and later calls use. */
  metadata: MetadataOf<ID>
  /** The turn ends with this step, because another agent continues. */
  ends?: true
}

/** A failure with its own description of the result, used even when the turn was stopped meanwhile. */
export class CallOutcome extends Error {
  /** The user rejected, without a message, a call of the task that this call waited for. */
  readonly rejectedWithin: boolean
  /** The turn ends with this step. */
  readonly ends: boolean

  constructor(message: string, { rejectedWithin = false, ends = false } = {}) {
    super(message)
    this.rejectedWithin = rejectedWithin
    this.ends = ends
  }
}

/** Parameters of a tool without a Zod schema: from an MCP server or a plugin. */
export interface SchemaParameters {
  /** JSON Schema of an object, as the model reads it. */
  jsonSchema: Record<string, unknown>
  /** @returns the arguments, or what is wrong with them, one line per problem */
  parse(input: unknown): { args: unknown } | { problems: readonly string[] }
}

export type ToolParameters = z.ZodType | SchemaParameters

type Arguments<Parameters extends ToolParameters> = Parameters extends z.ZodType ? z.output<Parameters> : unknown

/** Where a tool comes from that is not Docket's own. */
export interface ToolOrigin {
  kind: "mcp" | "plugin" | "file"
  /** The name of the server, the plugin or the file. */
  name: string
  /** What the tool is called there. */
  tool: string
  /** It is described to models from the beginning, however many tools there are. */
  isEager?: boolean
  /** What the server or plugin says of itself, for models: the same text in all of its tools. */
  about?: string
}

/** A tool. Throw to fail the call: the message reaches the model, so say what to do instead. */
export interface Tool<Parameters extends ToolParameters = ToolParameters, ID extends string = string> {
  id: ID
  description: string
  /** A strict Zod object: an unknown argument is refused, see `parseArguments`. */
  parameters: Parameters
  /** The permission that hides the tool when it is denied for every pattern; edit and write share `edit`. */
  permission: string
  /** False when a call waits for earlier calls of its step, and later calls wait for it. */
  parallel: boolean
  /** True when a call may change files that it does not name. */
  anyFile?: boolean
  /** Bytes of an output that a model reads, where that is more than usual; then its lines are not counted. */
  longestOutput?: number
  /** True when a call records the files that it changes with `noteWriting` before. */
  notesWriting?: boolean
  /** What bounds a call, in words for people. */
  limits?: string
  /** Why no model is offered the tool now, in words for people. */
  unavailable?: string
  /** It takes the place of Docket's tool of its name, because the user's configuration says so. */
  replaces?: boolean
  /** Missing for Docket's own tools. */
  origin?: ToolOrigin
  /** Described to models only once `tool_search` has found it. */
  isDeferred?: boolean
  /** Not described to models; those that know it from elsewhere may call it. */
  hidden?: boolean
  /** Arguments, nested ones too, that models add from habit without meaning; they are dropped. */
  ignores?: readonly string[]
  /** True when a call only waits for tasks, whose time is counted separately. */
  waits?: boolean
  execute(args: Arguments<Parameters>, context: ToolContext<ID>): Promise<ToolResult<ID>>
}

/** Defines a tool whose metadata has the type of its entry in `ToolMetadata`; without an entry there is no metadata. */
export function defineTool<Parameters extends ToolParameters, ID extends string>(
  tool: Tool<Parameters, ID>,
): Tool<Parameters> {
  return tool
}
