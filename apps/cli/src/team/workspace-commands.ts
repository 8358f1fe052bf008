import type { DocketClient } from "@docket/client"
import { SessionVisibility } from "@docket/core/schema"
import { type Command, InvalidArgumentError, Option } from "commander"
import { askOnTerminal } from "../ask-on-terminal.ts"
import { finish } from "../finish.ts"
import { addServiceOptions, type ServiceOptions, withService } from "../service-options.ts"
import {
  addWorkspace,
  listOperators,
  listWorkspaces,
  removeWorkspace,
  renameWorkspace,
  setOperator,
  setRoots,
  setWorkspace,
  useWorkspace,
  type WorkspaceChoice,
} from "./workspaces.ts"

/** `docket team workspace …`: the workspaces of a service. */
export function addWorkspaceCommands(unwritten: AbortSignal, team: Command): void {
  const say = sayOf(unwritten)
  const workspaces = team.command("workspace").description("the workspaces of the service, and in which one you work")
  const add = (name: string, description: string) =>
    addServiceOptions(workspaces.command(name)).description(description)
  add("list", "list your workspaces; all, for people who run the service").action((options: ServiceOptions) =>
    say(options, listWorkspaces),
  )
  add("add", "make a workspace; only for people who run the service")
    .argument("<name>")
    .option("--id <id>", "id in addresses and directories; else made of the name")
    .option("--owner <email>", "whose it is; invited when they have no account")
    .action((name: string, options: ServiceOptions & { id?: string; owner?: string }) =>
      say(options, (api) => addWorkspace(api, name, options)),
    )
  add("use", "work in another workspace from now on, as you are signed in")
    .argument("<workspace>", "its id or name")
    .action((named: string, options: ServiceOptions) => say(options, (api) => useWorkspace(api, named)))
  add("rename", "give the workspace that you work in another name")
    .argument("<name>")
    .action((name: string, options: ServiceOptions) => say(options, (api) => renameWorkspace(api, name)))
  add("set", "show what is set of the workspace that you work in; options change it")
    .addOption(
      new Option("--root <directory...>", "the directories that it may open, in place of those before").conflicts(
        "any",
      ),
    )
    .option("--any", "it may open any directory; only the first workspace may")
    .addOption(new Option("--visibility <whose>", "who sees a new session").choices(SessionVisibility.options))
    .option("--turns <number>", "how many sessions work at once; any for no limit", readTurns)
    .addOption(
      new Option("--when-removed <what>", "what becomes of the running turns of who is removed").choices([
        "finish",
        "stop",
      ]),
    )
    .action((options: ServiceOptions & SetOptions) => say(options, (api) => setWorkspace(api, choiceOf(options))))
  add("roots", "show which directories a workspace may open, or say which instead; only for people who run the service")
    .argument("<workspace>", "its id or name")
    .argument("[directory...]", "absolute paths on the machine of the service")
    .option("--none", "it opens no directory any more")
    .action((named: string, roots: string[], options: ServiceOptions & { none?: true }) =>
      say(options, (api) => setRoots(api, named, options.none ? [] : roots.length > 0 ? roots : null)),
    )
  add("remove", "remove a workspace with everything in it; this cannot be undone")
    .argument("<workspace>", "its id or name")
    .option("--yes", "do not ask")
    .action((named: string, options: ServiceOptions & { yes?: boolean }) =>
      say(options, (api) => removeWorkspace(api, named, options.yes ? async () => true : askForName)),
    )
}

/** `docket team operator …`: the operators of a service. */
export function addTeamOperatorCommands(unwritten: AbortSignal, team: Command): void {
  const say = sayOf(unwritten)
  const operators = team.command("operator").description("who runs the service, beside whoever has its token file")
  addServiceOptions(operators.command("list"))
    .description("list the people who run the service")
    .action((options: ServiceOptions) => say(options, listOperators))
  for (const [name, isOperator, words] of [
    ["add", true, "let a person make and remove workspaces and install packages of providers"],
    ["remove", false, "take that back"],
  ] as const)
    addServiceOptions(operators.command(name))
      .description(words)
      .argument("<email>")
      .action((email: string, options: ServiceOptions) => say(options, (api) => setOperator(api, email, isOperator)))
}

/** A function that prints the lines that a call of the service answers with. */
function sayOf(unwritten: AbortSignal) {
  return (options: ServiceOptions, work: (api: DocketClient["workspace"]) => Promise<string | string[]>) =>
    finish(
      unwritten,
      withService(options, async ({ client }) => {
        for (const line of [await work(client.workspace)].flat()) process.stdout.write(`${line}\n`)
      }),
    )
}

interface SetOptions extends Pick<WorkspaceChoice, "visibility" | "whenRemoved"> {
  root?: string[]
  turns?: number | "any"
  any?: true
}

function choiceOf({ root, any, visibility, turns, whenRemoved }: SetOptions): WorkspaceChoice {
  return {
    ...(root !== undefined && { roots: root }),
    ...(any && { roots: null }),
    ...(visibility !== undefined && { visibility }),
    ...(turns !== undefined && { turns: turns === "any" ? null : turns }),
    ...(whenRemoved !== undefined && { whenRemoved }),
  }
}

/** Reads a number of sessions, or "any". */
function readTurns(given: string): number | "any" {
  const turns = Number(given)
  if (given === "any") return given
  if (Number.isSafeInteger(turns) && turns > 0) return turns
  throw new InvalidArgumentError("give a number of sessions, or any")
}

/** The user confirms by typing the workspace's name. @throws UsageError when there is no terminal */
async function askForName(name: string): Promise<boolean> {
  const answer = await askOnTerminal(
    { input: process.stdin, output: process.stderr },
    {
      text: `Sessions, memory, schedules, keys and members of ${name} will be gone for good. Files of its projects stay.\n`,
      question: `Type ${name} to remove it: `,
      otherwise: "add --yes to remove it all the same",
    },
  )
  return answer === name
}
