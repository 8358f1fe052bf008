import type { BoundCommand } from "../../acts/bound/bounds.ts"
import { type CommandVariables, commandEnv } from "../../acts/sandbox/command-env.ts"
import type { Confinement } from "../../acts/sandbox/confinement.ts"
import { closedTo } from "../../acts/tool/closed-files.ts"
import type { StartProgramDeps } from "../../acts/tool/start-program.ts"
import type { Tool, ToolContext } from "../../acts/tool/tool.ts"
import { realpathOfDeepest } from "../../ground/file/realpath-of-deepest.ts"
import type { ConfigProblem } from "../../setup/config/config-report.ts"
import { digestOf } from "../../setup/config/digest.ts"
import type { ProvidedFile } from "../../setup/config/provided-file.ts"
import { permissionOfTool } from "../../setup/config/tool-names.ts"
import type { ToolSource } from "../loop/tool-source.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import { sha256Of } from "../module-file/read-module.ts"
import { askForTool, factsOfCall, ownMetadata, resultOfFile } from "../module-file/tool-messages.ts"
import { nameProblem } from "../module-file/tool-name.ts"
import type { ToolFiles } from "./find-tool-files.ts"
import { type DescribedTool, runToolFile } from "./run-tool-file.ts"
import type { ToolProblems } from "./tool-problems.ts"

/** ms. `describeAll` is how long files are begun to be asked in one go, so that several that hang do not add up. */
const usualLimits = { describe: 10_000, describeAll: 10_000, call: 10 * 60_000 }
/** Files that are asked at once which tools they export. */
const askedAtOnce = 4

export interface CustomToolsDeps extends StartProgramDeps {
  files: ToolFiles
  env: Readonly<Record<string, string | undefined>>
  limits?: typeof usualLimits
  /** Docket's tools that the user's own configuration lets files replace. */
  replaced(): Promise<readonly string[]>
  problems: ToolProblems
  /** Whether several people share the service; then the user's own tools are confined too. */
  isShared: boolean
  confinementOf(turn: TurnContext, how: { isReadOnly: boolean }): Promise<Confinement>
  variablesOf(turn: TurnContext): Promise<CommandVariables>
  boundOf(turn: TurnContext, work: { processTag: string; isHeld: boolean }): Promise<BoundCommand | null>
}

interface Problem {
  problem: string
  /** True when it is not the file's. */
  isPassing: boolean
}

interface FoundFile {
  file: ProvidedFile
  isOwn: boolean
}

/**
 * Each file is asked once for its tools, in a process of its own, and again when it has changed, or what a project's file
 * loads. Each call is a process too, so no file can hold up, end or change another.
 */
export function createCustomTools(deps: CustomToolsDeps): ToolSource {
  const described = new Map<string, Promise<DescribedTool[] | Problem>>()
  const describe = (turn: TurnContext, found: FoundFile) => {
    const { file } = found
    const key = digestOf([turn.session.directory, found.isOwn, file.file, file.text, file.beside ?? []])
    const known = described.get(key)
    if (known !== undefined) return known
    const asked = describeFile(deps, turn, found)
    if (described.size > 1_000) described.clear()
    described.set(key, asked)
    // That it could not be asked says nothing of the file.
    void asked.then((answer) => {
      if ("problem" in answer && answer.isPassing) described.delete(key)
    })
    return asked
  }
  return {
    name: "custom tools",
    async tools(turn) {
      const own = (await deps.files.own()).files.map((file) => ({ file, isOwn: true }))
      const trusted = turn.provided.files.filter(({ kind, trusted }) => kind === "tool" && trusted)
      // The nearest file of a name counts, as for commands.
      const all = new Map(
        [...own, ...trusted.map((file) => ({ file, isOwn: false }))].map((one) => [one.file.name, one]),
      )
      const problems: ConfigProblem[] = []
      const replaced = new Set(all.size === 0 ? [] : await deps.replaced())
      const tools = new Map<string, Tool>()
      const waiting = [...all.values()]
      const { describeAll } = deps.limits ?? usualLimits
      const until = performance.now() + describeAll
      const ask = async () => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          const { file } = next.file
          const report = (message: string) => problems.push({ file, line: null, column: null, message })
          const isReplacing = replaced.has(next.file.name)
          const unfit = isReplacing ? null : nameProblem(next.file.name)
          if (unfit !== null) {
            report(`The tool "${next.file.name}" is left out: ${unfit}`)
            continue
          }
          if (performance.now() > until) {
            report(`The tool "${next.file.name}" is left out for now: other files took too long. It is asked again.`)
            continue
          }
          const answer = await describe(turn, next)
          if ("problem" in answer) report(`The tool "${next.file.name}" is left out: ${answer.problem}`)
          else if (answer.length === 0) report(`The tool "${next.file.name}" is left out: the file exports no tool.`)
          else for (const one of answer) addTool(tools, report, createTool(deps, turn, { ...next, isReplacing }, one))
        }
      }
      await Promise.all(Array.from({ length: askedAtOnce }, ask))
      deps.problems.set(turn.project.id, problems)
      return [...tools.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
    },
  }
}

function addTool(tools: Map<string, Tool>, report: (message: string) => void, tool: Tool): void {
  const unfit = tool.replaces ? null : nameProblem(tool.id)
  if (unfit !== null) report(`The tool "${tool.id}" is left out: ${unfit}`)
  else if (tools.has(tool.id)) report(`The tool "${tool.id}" is left out: another file defines one of this name.`)
  else tools.set(tool.id, tool)
}

async function describeFile(
  deps: CustomToolsDeps,
  turn: TurnContext,
  found: FoundFile,
): Promise<DescribedTool[] | Problem> {
  let isPassing = true
  try {
    const program = await programOf(deps, turn, found, null)
    const request = await requestOf(turn, found)
    isPassing = false
    const { describe } = deps.limits ?? usualLimits
    const answer = await runToolFile(deps, request, { program, timeoutMs: describe })
    return "tools" in answer ? answer.tools : []
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error), isPassing }
  }
}

async function requestOf({ project }: TurnContext, { file, isOwn }: FoundFile) {
  const [piece] = file.pieces ?? []
  const real = piece?.real ?? file.file
  const hashes = [{ file: real, sha256: sha256Of(file.text) }, ...(file.beside ?? [])]
  const files = Object.fromEntries(hashes.map((one) => [one.file, one.sha256]))
  const within = await realpathOfDeepest(project.worktree)
  return { file: real, trusted: isOwn ? null : { within, files }, call: null }
}

/** How the process is started. @throws Error when it may not run */
async function programOf(deps: CustomToolsDeps, turn: TurnContext, { isOwn }: FoundFile, context: ToolContext | null) {
  const isFree = isOwn && !deps.isShared
  const confinement: Confinement = isFree
    ? { kind: "none" }
    : await deps.confinementOf(turn, { isReadOnly: context === null })
  if (confinement.kind === "refused" || confinement.kind === "outside") throw new Error(confinement.reason)
  const isHeld = confinement.kind === "sandbox"
  const closed = context === null ? undefined : closedTo(context, { command: "", opened: [] }).files
  return {
    owner: turn.session.id,
    cwd: await realpathOfDeepest(turn.session.directory),
    env: commandEnv(deps.env, await deps.variablesOf(turn)),
    confine: isHeld
      ? (launch: Parameters<typeof confinement.confine>[0]) => confinement.confine(launch, closed)
      : undefined,
    bound: (processTag: string) => deps.boundOf(turn, { processTag, isHeld }),
  }
}

function createTool(
  deps: CustomToolsDeps,
  turn: TurnContext,
  found: FoundFile & { isReplacing: boolean },
  described: DescribedTool,
): Tool {
  const id = described.export === "default" ? found.file.name : `${found.file.name}_${described.export}`
  const replaces = found.isReplacing && described.export === "default"
  // What replaces a tool of Docket's is bound by the rules for that one.
  const permission = replaces ? permissionOfTool(id) : id
  return {
    id,
    ...(replaces ? { replaces } : { origin: { kind: "file", name: found.file.name, tool: described.export } }),
    description: described.description,
    parameters: {
      jsonSchema: described.schema,
      parse: (args: unknown) =>
        typeof args === "object" && args !== null && !Array.isArray(args)
          ? { args }
          : { problems: ["the arguments are an object"] },
    },
    permission,
    parallel: false,
    anyFile: true,
    async execute(args: object, context: ToolContext) {
      const metadata = { kind: "other", title: `Run ${id} (${found.file.file})`, input: args } as const
      await context.ask({ permission, patterns: ["run"], always: ["run"], metadata })
      await context.beforeChange()
      const request = await requestOf(turn, found)
      const answer = await runToolFile(
        deps,
        { ...request, call: { export: described.export, args, context: factsOfCall(context) } },
        {
          program: await programOf(deps, turn, found, context),
          timeoutMs: (deps.limits ?? usualLimits).call,
          signal: context.signal,
          onMetadata: ({ title, metadata: shown }) =>
            context.progress({ ...(title !== undefined && { title }), metadata: ownMetadata(shown) }),
          onAsk: (question) => askForTool(context, { id, permission }, question),
        },
      )
      if (!("result" in answer)) throw new Error("The tool gave no result.")
      return resultOfFile(id, answer.result)
    },
  }
}
