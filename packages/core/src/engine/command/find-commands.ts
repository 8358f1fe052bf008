import { dirname } from "node:path"
import { inlineCommandVerbs } from "../../ground/inline-command/inline-command-verbs.ts"
import type { CommandOrigin, PromptCommand, PromptPart } from "../../ground/schema/index.ts"
import type { ConfigProblem } from "../../setup/config/config-report.ts"
import { createDefinitions, type DefiningUser } from "../../setup/config/definitions.ts"
import type { LoadedConfig } from "../../setup/config/loaded-config.ts"
import { type FindProvidedFiles, type ProvidedFile, templateNotes } from "../../setup/config/provided-file.ts"
import type { CommandConfig } from "../../setup/config/schema.ts"
import { parseModelRef } from "../../setup/provider/model-choice.ts"

/** A command with its template. */
export interface Command extends PromptCommand {
  template: string
  /**
   * Makes the parts of a prompt of what was typed after the name, in place of the template.
   * @throws DocketError invalid_input where that does not fit
   */
  expand?(typed: string): Promise<ExpandedPart[]>
}

/** A text or a file that a command of an extension stands for. */
export type ExpandedPart = Extract<PromptPart, { type: "text" | "file" }>

interface CommandsInForce {
  commands: Command[]
  /** Why existing commands were left out. */
  problems: ConfigProblem[]
}

interface Commands {
  /** Finds the command files of a project, so that the user can decide whether to trust them. */
  findProvided: FindProvidedFiles
  /**
   * The commands of a project by name, Docket's own first. The nearest file that defines a command replaces it
   * completely; at the same level, files for Docket come before those for OpenCode and Claude Code. Unusable commands
   * are left out and reported as problems.
   */
  inForce(loaded: Pick<LoadedConfig, "sources" | "provided">): Promise<CommandsInForce>
}

interface Defined {
  origin: Exclude<CommandOrigin, "docket">
  name: string
  file: string
  config: CommandConfig
}

type CommandFile = ProvidedFile & { kind: "command" }

/**
 * Words separated by slashes, of letters, digits and a few other characters, so that a name can be typed as one word.
 */
const namePattern = /^[\p{L}\p{M}\p{N}_.:-]+(?:\/[\p{L}\p{M}\p{N}_.:-]+)*$/u
const longestName = 100

/** Finds the commands of the user and of projects. */
export function createCommands(user: DefiningUser): Commands {
  const files = createDefinitions(user, "command", async ({ name, file, text }) => {
    const found: CommandFile = { kind: "command", name, file, text, notes: templateNotes(text) }
    return { found, problems: [] }
  })
  return {
    async findProvided(project) {
      const { found, problems } = await files.ofProject(project)
      return { files: found, problems }
    },
    async inForce({ sources, provided }) {
      const own = await files.own()
      const trusted = provided.filter((file) => file.kind === "command" && file.trusted)
      const read = [...(await readFiles(own.found, "user")), ...(await readFiles(trusted, "project"))]
      const ofConfig = sources.flatMap(({ config, file, layer }) =>
        Object.entries(config.command ?? {}).map(([name, config]): Defined => {
          return { origin: layer === "project" ? "project" : "user", name, file, config }
        }),
      )
      const problems = [...own.problems, ...read.flatMap((file) => file.problems)]
      return nearestCommands([...ofConfig, ...read.flatMap((file) => file.defined)], problems)
    },
  }
}

function nearestCommands(defined: readonly Defined[], problems: ConfigProblem[]): CommandsInForce {
  const found = new Map<string, Command>()
  for (const [name, config] of Object.entries({ ...builtinPrompts, ...builtinActs })) {
    found.set(name, toCommand({ name, config, origin: "docket", file: null }))
  }
  for (const one of defined.toSorted(byPriority)) {
    const name = one.name.normalize("NFC")
    const message = nameProblem(name)
    if (message === null) found.set(name, toCommand({ ...one, name }))
    else
      problems.push({
        file: one.file,
        line: null,
        column: null,
        message: `The command ${JSON.stringify(one.name)} ${message}`,
      })
  }
  return { commands: [...found.values()], problems }
}

async function readFiles(
  files: readonly ProvidedFile[],
  origin: Defined["origin"],
): Promise<{ defined: Defined[]; problems: ConfigProblem[] }[]> {
  if (files.length === 0) return []
  // The YAML parser is loaded only where it is needed.
  const { parseCommandFile } = await import("./parse-command-file.ts")
  return files.map(({ name, file, text }) => {
    const { config, problems } = parseCommandFile(file, text)
    return { defined: config === null ? [] : [{ name, file, origin, config }], problems }
  })
}

/**
 * Lowest priority first, so that later commands replace earlier ones: the user's own, then from the top directory of
 * the project down; at the same level by program.
 */
function byPriority(a: Defined, b: Defined): number {
  if (a.origin !== b.origin) return a.origin === "user" ? -1 : 1
  const [one, other] = [placeOf(a.file), placeOf(b.file)]
  // The levels of a project lie within each other, so a longer path is a deeper one.
  const depth = a.origin === "user" ? 0 : one.level.length - other.level.length
  return depth === 0 ? one.rank - other.rank : depth
}

/** Lowest priority first. `config`: an entry of a docket.json. */
const programs = ["claude", "opencode", "config", "docket"]

/** The directory that a file applies to, and the priority of its program there. */
function placeOf(file: string): { level: string; rank: number } {
  const [, level, program = "config"] = /^(.*)[/\\]\.?(claude|opencode|docket)[/\\]commands?[/\\]/.exec(file) ?? []
  return { level: level ?? dirname(file).replace(/[/\\]\.docket$/, ""), rank: programs.indexOf(program) }
}

function nameProblem(name: string): string | null {
  if (reservedNames.has(name))
    return "is left out: Docket itself has one of this name, which nothing replaces. Choose another name."
  if (name.length > longestName || !namePattern.test(name)) {
    return `is left out: its name cannot be typed. Use letters, digits, ".", "_", "-" and ":", at most ${longestName} of them, and "/" between words.`
  }
  return null
}

function toCommand({
  name,
  config,
  origin,
  file,
}: Pick<Command, "name" | "origin" | "file"> & { config: CommandConfig }): Command {
  const { template, description, argument_hint, agent, model, subtask } = config
  return {
    name,
    description: description ?? firstLine(template),
    hint: argument_hint ?? null,
    origin,
    file,
    agent: agent ?? null,
    model: model === undefined ? null : parseModelRef(model),
    subtask: subtask ?? false,
    template,
  }
}

/** The description of a command that has none: its first line. */
function firstLine(template: string): string {
  const line =
    template
      .trim()
      .split("\n")[0]
      ?.replace(/^#+\s*/, "") ?? ""
  return line.length > 100 ? `${line.slice(0, 99)}…` : line
}

const init = `Write the file AGENTS.md at the top of this project, or improve the one that is there. It is read at the beginning of every session by agents that know nothing of the project.

Look around first: the README, the manifest of each package, the build and test configuration, what continuous integration runs, the layout of the source, and instructions that exist for other agents (CLAUDE.md, .cursorrules, .github/copilot-instructions.md).

Then say, in at most about 150 lines:
- the commands to build, check and test, and how to run a single test;
- what lies where, and in which direction parts depend on each other;
- the conventions that the code really follows and a newcomer would break;
- what surprises: generated files, steps that must come first, things that look wrong and are not.

Leave out what every developer knows and what one look at the code shows. Run a command before you write it down where that is safe. Keep what is true in a file that exists, and change only what is wrong, missing or superfluous.

$ARGUMENTS`

const review = `Review changes of this project. Change nothing.

What to review: $ARGUMENTS

If nothing is named here, review what is not committed: staged, unstaged and new files. A name of a commit or a range means these commits, a name of a branch means what differs between it and the current one since they parted, and a number or an address of a pull request means its changes.

Read the whole files around the changes, not the diff alone, and find out what calls what was changed. Look for, in this order: wrong behaviour and lost data; holes in security; errors that are not handled; races; tests that are missing or prove nothing; what no longer fits its surroundings. Before you report something, make sure that it happens: name the input or the order of events that leads to it.

Report each finding with file and line, what goes wrong and when, and how to mend it; the gravest first. Say so plainly when there is nothing to find, and what you could not judge. No praise, no remarks on taste.`

/** Docket's own commands that are prompts; the user's configuration may replace them. */
const builtinPrompts: Readonly<Record<string, CommandConfig>> = {
  init: {
    description: "Write AGENTS.md for this project, or improve it",
    argument_hint: "[what matters]",
    template: init,
  },
  review: {
    description: "Review changes: uncommitted ones, a commit, a branch or a pull request",
    argument_hint: "[commit, branch or pull request]",
    template: review,
  },
}

/** Docket's own commands that control Docket but run as turns of a session. */
const builtinActs: Readonly<Record<string, CommandConfig>> = {
  plan: {
    description: "Plan something: no file but the plan changes",
    argument_hint: "<what to plan>",
    template: "$ARGUMENTS",
    agent: "plan",
  },
  compact: { description: "Summarise the conversation to make room", template: "/compact" },
  shell: {
    description: "Run a command under the agent's rules, without a model",
    argument_hint: "<command>",
    template: "$ARGUMENTS",
  },
}

/** Commands that the front ends carry out themselves. */
const actsOfPages = [
  "agents",
  "archive",
  "help",
  "import",
  "new",
  "project",
  "redo",
  "rename",
  "settings",
  "share",
  "stop",
  "tasks",
  "undo",
  "unshare",
]

/** Names that no configuration may define, because users rely on what these commands do. */
const reservedNames: ReadonlySet<string> = new Set([...actsOfPages, ...Object.keys(builtinActs), ...inlineCommandVerbs])
