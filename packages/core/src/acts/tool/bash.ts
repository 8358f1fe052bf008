import path from "node:path"
import { z } from "zod"
import { limitNote, openFilesNote } from "../../ground/message/limit-messages.ts"
import type { PermissionMetadata } from "../../ground/schema/index.ts"
import type { BashMetadata, LeftBehind } from "../../ground/schema/tool-metadata.ts"
import type { ClosedFile } from "../permission/judge.ts"
import { commandEnv } from "../sandbox/command-env.ts"
import type { Confinement } from "../sandbox/confinement.ts"
import { askForCommand } from "./ask-for-command.ts"
import { askToOpen, closedInResult, closedNotes, closedTo, withoutClosed } from "./closed-files.ts"
import { createOutputCapture, type OutputCapture } from "./output-capture.ts"
import type { SpawnedCommand } from "./process-group.ts"
import type { CommandRequest, CommandResult } from "./run-command.ts"
import { changesNoFile } from "./script-effects.ts"
import { defaultShell } from "./shell-syntax.ts"
import { defineTool, type Tool, type ToolContext } from "./tool.ts"
import { outputFileName } from "./truncate-output.ts"

const DEFAULT_TIMEOUT = 120_000
const MAX_TIMEOUT = 600_000
/** Characters of output that a viewer gets while the command runs. */
const LIVE_CHARACTERS = 30_000
/** Milliseconds between two live updates. */
const LIVE_INTERVAL = 100
/** A command that writes more than 64 MiB is ended. */
const MAX_SAVED_BYTES = 64 * 1024 * 1024

const description = `Runs a shell command with bash and returns its output (standard output and error together) and exit code.

- Use it for builds, tests, git and other programs. For files use read, write, edit, glob, grep and list: they are safer and show the user more.
- Each call starts in the working directory, or in workdir; a cd does not last. Quote paths with spaces. Join commands that depend on each other with &&; send independent ones as separate calls. Several in one answer run one after another, also when one fails.
- Input is closed and there is no terminal: use flags like --yes instead of prompts, no editors or pagers.
- It ends after timeout milliseconds (default ${DEFAULT_TIMEOUT}, at most ${MAX_TIMEOUT}). Of output over 2,000 lines or 50 KiB you get the beginning and the end, and a file with all of it; over 64 MiB the command is ended. It is also ended when it takes too many processes, too much memory or too much of the disk.
- Commands run in a sandbox where there is one: they change the project only, have a home and a /tmp of their own (read what lies there with commands, too), see no other projects, keys or sign-ins, and reach no network but hosts that the user allows. All that a command starts ends with it, and no other call reaches it: start a server and use it in one call.
- When the task needs more than that, set outside_sandbox to the reason, and the user is asked. Do not set it unless the sandbox stands in the way. A server that must outlive the call runs outside: start it with & and its output redirected to a file, and stop it when it is no longer needed.
- Files that usually hold secrets (.env) are closed to commands: opening one fails with "Permission denied", and the result says how to ask the user.
- The environment has PATH, HOME, locale and what tool chains need, no keys or tokens; the user adds others with sandbox.env in docket.json. Commands and paths outside the project may need the user's leave.
- Commit, push or rewrite history only when the user asked for it.`

const parameters = z.strictObject({
  command: z.string().min(1).max(200_000).describe("The command"),
  description: z.string().max(500).optional().describe("What it does, in five to ten words, for the user"),
  timeout: z.int().min(1).max(MAX_TIMEOUT).optional().describe(`Milliseconds, default ${DEFAULT_TIMEOUT}`),
  workdir: z.string().optional().describe("Directory to run in; use it instead of cd"),
  outside_sandbox: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe(
      "Why it has to run outside the sandbox, in a sentence for the user, who is asked; leave it out otherwise",
    ),
  read: z
    .array(z.string().min(1).max(1_000))
    .max(20)
    .optional()
    .describe("Files that it has to read and that a result before named as closed to it; the user is asked"),
})
type Arguments = z.output<typeof parameters>

export interface BashDeps {
  /** The environment of the service; a command gets only the variables it is allowed. */
  env: Readonly<Record<string, string | undefined>>
  /** Default `defaultShell`. */
  shell?: string
  /** Most bytes of output that are saved; default 64 MiB. */
  maxSavedBytes?: number
  /** Epoch ms. */
  clock(): number
  /** A command has started. Record it, so that `reapCommand` can end it after a crash. */
  onSpawn?(command: SpawnedCommand, context: ToolContext): void
  /** The command is ended early: all its processes have received the signal. */
  onSignal?(command: SpawnedCommand, context: ToolContext): void
  /** The command ended. `background` are processes that it left running. */
  onExit?(command: SpawnedCommand & { background: number[] }, context: ToolContext): void
}

/** No user is at a terminal to answer prompts or leave a pager. */
const withoutTerminal = { TERM: "dumb", PAGER: "cat", GIT_PAGER: "cat", GIT_TERMINAL_PROMPT: "0", GIT_EDITOR: "true" }

/**
 * Runs shell commands. Commands of one step run one after another: they may depend on each other, and two at once could
 * conflict over files, ports or the git index.
 */
export function createBashTool(deps: BashDeps): Tool<typeof parameters> {
  return defineTool({
    id: "bash",
    description,
    parameters,
    permission: "bash",
    parallel: false,
    limits: `${DEFAULT_TIMEOUT / 1_000} s, at most ${MAX_TIMEOUT / 1_000} s; output ${MAX_SAVED_BYTES / 1024 ** 2} MiB; limits of the sandbox`,
    anyFile: true,
    async execute(args, context) {
      const {
        cwd,
        commands,
        metadata: asked,
        reads,
      } = await askForCommand(args, context, {
        ...deps,
        isConfined: () => isConfined(args, context),
      })
      const reason = args.outside_sandbox
      const confinement = await placeOfCommand(context, { command: args.command, reason, metadata: asked })
      const { command } = args
      const isConfinedNow = confinement.kind === "sandbox"
      const named = isConfinedNow ? await askToOpen(context, { files: args.read ?? [], command, metadata: asked }) : []
      const closed = closedTo(context, { command, opened: [...reads, ...named] })
      const readOnly = commands !== null && changesNoFile(args.command, commands)
      if (!readOnly) await context.beforeChange()
      context.signal.throwIfAborted()
      const started = deps.clock()
      const shown = { command: args.command, description: args.description ?? "" }
      const capture = createOutputCapture({
        file: path.join(context.outputDirectory, outputFileName(context.partID)),
        maxBytes: deps.maxSavedBytes ?? MAX_SAVED_BYTES,
      })
      const live = liveOutput(capture, (output) => context.progress({ metadata: { ...shown, output } }))
      context.progress({ title: cardTitle(args), metadata: { ...shown, output: "" } })
      let files: number | null = null
      const request: CommandRequest = {
        sessionID: context.sessionID,
        partID: context.partID,
        shell: deps.shell ?? defaultShell,
        command: args.command,
        cwd,
        env: await context.shellEnv(
          { ...commandEnv(deps.env, await context.variables()), ...withoutTerminal },
          { cwd, isConfined: isConfinedNow },
        ),
        confine: isConfinedNow ? (launch) => confinement.confine(launch, closed.files) : undefined,
        async bound(processTag) {
          const bound = await context.bound({ processTag, isHeld: isConfinedNow })
          files = bound?.files ?? null
          return bound
        },
        timeout: args.timeout ?? DEFAULT_TIMEOUT,
        signal: context.signal,
        capture,
        onOutput: live.changed,
        onSpawn: (command) => deps.onSpawn?.(command, context),
        onSignal: (command) => deps.onSignal?.(command, context),
        onExit: (command, background) => deps.onExit?.({ ...command, background }, context),
      }
      const result = await context.commands.run(request, deps.clock).finally(live.stop)
      const missed = closedInResult(closed.found(), { text: result.output.text, exit: result.exit })
      const metadata: BashMetadata = {
        ...shown,
        output: capture.live(LIVE_CHARACTERS),
        exit: result.exit,
        signal: result.signal,
        timedOut: result.ended === "timeout",
        ...(result.over && { over: result.over }),
        duration: deps.clock() - started,
        ...(readOnly && { readOnly }),
        ...(missed.length > 0 && { closed: missed.map(({ file }) => file) }),
        ...(result.leftBehind.length > 0 && { leftBehind: result.leftBehind }),
        background: result.background,
        truncated: result.output.path !== null,
        outputPath: result.output.path,
      }
      if (result.ended === "aborted") {
        context.progress({ metadata })
        throw new DOMException("The command was stopped.", "AbortError")
      }
      if (result.over !== null) {
        context.progress({ metadata })
        throw new Error(`${limitNote(result.over)}\n\n${modelText(args, result, leftBehindNotes(result.leftBehind))}`)
      }
      const notes = [
        ...closedNotes(missed),
        isConfinedNow ? failureNote(result, confinement, { started, missed }) : null,
        files === null || result.exit === 0 ? null : openFilesNote(result.output.text, files),
        ...leftBehindNotes(result.leftBehind),
      ]
      return { title: cardTitle(args), output: modelText(args, result, notes), metadata }
    },
  })
}

/** Whether the sandbox is certain to confine the command when it runs. */
async function isConfined(args: Pick<Arguments, "outside_sandbox">, context: ToolContext): Promise<boolean> {
  if (args.outside_sandbox !== undefined) return false
  const confinement = await context.confinement()
  return confinement.kind === "sandbox" && confinement.isFirm
}

function modelText(
  args: Arguments,
  { output, exit, signal, ended, background }: CommandResult,
  more: readonly (string | null)[],
): string {
  const notes = [exit === null ? `[ended by ${signal ?? "a signal"}]` : `[exit code ${exit}]`]
  if (ended === "timeout") {
    notes.push(
      `[stopped after ${args.timeout ?? DEFAULT_TIMEOUT} ms. Give a longer timeout if it needs more, or run less.]`,
    )
  }
  if (ended === "too much output") notes.push("[stopped: too much output. Filter it, or redirect it to a file.]")
  if (background.length > 0) notes.push(`[still running in the background: ${background.join(", ")}]`)
  const text = output.text.replace(/\n+$/, "")
  notes.push(...more.filter((note) => note !== null))
  return [text === "" ? "(no output)" : text, ...notes].join("\n")
}

/** A note for the model about how the sandbox may have caused a failure. */
function failureNote(
  { exit, output }: CommandResult,
  { mayLeave, refusedHosts }: Extract<CommandPlace, { kind: "sandbox" }>,
  { started, missed }: { started: number; missed: readonly ClosedFile[] },
): string | null {
  const text = withoutClosed(output.text, missed)
  return exit === 0 ? null : sandboxNote(text, { mayLeave, refused: refusedHosts(started) })
}

function cardTitle(args: Arguments): string {
  const line = args.description?.trim() || (args.command.trim().split("\n")[0] ?? "")
  return line.length > 120 ? `${line.slice(0, 119)}…` : line
}

/** Shows the output at most ten times a second; the last state is always shown. */
function liveOutput(capture: OutputCapture, show: (output: string) => void): { changed(): void; stop(): void } {
  let timer: NodeJS.Timeout | null = null
  return {
    changed() {
      timer ??= setTimeout(() => {
        timer = null
        show(capture.live(LIVE_CHARACTERS))
      }, LIVE_INTERVAL)
    },
    stop() {
      if (timer !== null) clearTimeout(timer)
      timer = null
    },
  }
}

/** The permission to run a command outside the sandbox. */
const outsidePermission = "sandbox"

/** Where a command may run. */
type CommandPlace = Extract<Confinement, { kind: "none" | "sandbox" }>

interface OutsideRequest {
  command: string
  /** The model's reason why the command must run outside; undefined when it does not ask to. */
  reason: string | undefined
  metadata(): Promise<Extract<PermissionMetadata, { kind: "command" }>>
}

/**
 * Decides where a command runs: in the sandbox, or outside when there is none or the permission is given.
 * @throws Error when it may run nowhere; what `ask` throws when it is not allowed
 */
async function placeOfCommand(
  context: Pick<ToolContext, "confinement" | "ask">,
  { command, reason, metadata }: OutsideRequest,
): Promise<CommandPlace> {
  const confinement = await context.confinement()
  if (confinement.kind === "none") return confinement
  if (confinement.kind === "refused") throw new Error(`${confinement.reason} Tell the user.`)
  if (confinement.kind === "sandbox") {
    if (reason === undefined) return confinement
    if (!confinement.mayLeave) {
      throw new Error(
        'The configuration requires the sandbox ("sandbox.mode": "required", as it is where several people share a workspace): no command runs outside it.',
      )
    }
  }
  const why = confinement.kind === "outside" ? confinement.reason : (reason ?? "")
  const pattern = command.trim()
  await context.ask({
    permission: outsidePermission,
    patterns: [pattern],
    // As a pattern, a command with wildcards would match other commands too.
    always: /[*?]/.test(pattern) ? [] : [pattern],
    metadata: async () => ({ ...(await metadata()), outside: why }),
  })
  return { kind: "none" }
}

/** Messages of commands that failed because of the sandbox, with their meaning. */
const signs: readonly { pattern: RegExp; means: string }[] = [
  {
    pattern:
      /\b(?:ENETUNREACH|EAI_AGAIN|ENOTFOUND|ECONNREFUSED)\b|could not resolve (?:host|proxy)|temporary failure in name resolution|name or service not known|network is unreachable|failed to connect|couldn't connect|connection refused|no route to host/i,
    means:
      "it has no network but the hosts that the user allows, and reaches no service of this machine that the command did not start itself",
  },
  {
    pattern: /read-only file system|\bEROFS\b/i,
    means: "only the project, $HOME and /tmp can be changed",
  },
  {
    pattern: /could not (?:write|lock) config file|device or resource busy|\bEBUSY\b/i,
    means:
      "git's settings and hooks, start files of shells and configuration that is there (.docket, docket.json, .vscode, .idea, .envrc, .mcp.json) can only be read by commands",
  },
  {
    pattern: /permission denied|\bEACCES\b|\bEPERM\b|operation not permitted/i,
    means: "it has no rights of root, and some files are closed",
  },
  {
    pattern:
      /no such file or directory|\bENOENT\b|command not found|could not read (?:username|password)|publickey|host key verification/i,
    means:
      "of the home directory, of other projects and of /tmp it sees nothing of the machine: $HOME and /tmp are private to this project's commands, and keys, tokens and sign-ins are not there",
  },
]

/** How the sandbox may have caused the failure of a command, for the model; null when nothing suggests it. */
function sandboxNote(
  output: string,
  { mayLeave, refused }: { mayLeave: boolean; refused: readonly string[] },
): string | null {
  const found = signs.flatMap((sign) => (sign.pattern.test(output) ? [sign.means] : []))
  const means = [...(refused.length > 0 ? [`these hosts were refused: ${refused.join(", ")}`] : []), ...found]
  if (means.length === 0) return null
  const way = mayLeave
    ? " If that is the cause and the task needs it, call again with outside_sandbox set to the reason: the user is asked."
    : " No command runs outside it here: tell the user what is needed."
  return `[sandbox: the command ran in a sandbox, where ${means.join("; ")}.${way}]`
}

/** Most files named of one kind; further ones are only counted. */
const maxNamed = 20

const leftBehindWords: Readonly<Record<LeftBehind["kind"], { says: string; way: string }>> = {
  "switched-off": {
    says: "the command left what git would run as programs outside of it, and that was switched off",
    way: "The old text of settings stands in their file as comments, other files are called …switched-off. Only the user can allow it, by Allow on the card of this call; tell them, and do not make it again.",
  },
  "moved-aside": {
    says: "the command made files that other programs take as configuration, and they were moved aside",
    way: "Only the user can allow them, by Allow on the card of this call; tell them, and do not make them again.",
  },
  "still-there": {
    says: "the command left what programs outside of it would start, and it could neither be switched off nor moved",
    way: "Tell the user at once: they should not start git, an editor or a shell there before they have removed it by hand.",
  },
  "not-looked-at": {
    says: "these directories could not be looked through for settings of git and configuration",
    way: "Tell the user not to start git or an editor there before they have looked themselves.",
  },
}

/** Notes for the model and the user about files that a command created but could not keep. */
function leftBehindNotes(left: readonly LeftBehind[]): string[] {
  return Object.entries(leftBehindWords).flatMap(([kind, { says, way }]) => {
    const named = left.filter((each) => each.kind === kind)
    if (named.length === 0) return []
    const more = named.length > maxNamed ? [`and ${named.length - maxNamed} more`] : []
    return [`[sandbox: ${says}:\n${[...named.slice(0, maxNamed).map(leftBehindLine), ...more].join("\n")}\n${way}]`]
  })
}

function leftBehindLine({ path, what, aside }: LeftBehind): string {
  const names = what.length > 0 ? ` (${what.join(", ")})` : ""
  return `${printable(path)}${printable(names)}${aside === undefined ? "" : ` → ${printable(aside)}`}`
}

/** A program chooses its file names, so control characters such as line feeds are replaced. */
function printable(text: string): string {
  return text.replace(/\p{C}/gu, "?")
}
