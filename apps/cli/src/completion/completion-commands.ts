import { script } from "@bomb.sh/tab"
import addShellCompletion from "@bomb.sh/tab/commander"
import type { Command } from "commander"
import { exitCode } from "../exit-code.ts"
import { finish } from "../finish.ts"
import { bashScript } from "./bash-script.ts"
import { proposeLiveValues } from "./live-values.ts"

const shells = ["bash", "zsh", "fish"] as const

/**
 * `docket completion`, and `docket complete`, which scripts of shells call at each press of the Tab key. Call it last,
 * because it describes all other commands to shells.
 */
export function addCompletionCommands(unwritten: AbortSignal, program: Command): void {
  const root = addShellCompletion(program, { completionCommandName: "completion" })
  const named = (name: string) => program.commands.find((command) => command.name() === name)

  // What the package made of these two is replaced: it offers a shell more, and proposes nothing that a service knows.
  const completion = named("completion")?.description("print what a shell needs to complete commands with the Tab key")
  completion?.registeredArguments[0]?.choices(shells)
  const proposals = root.commands.get("completion")?.arguments.get("shell")
  if (proposals !== undefined) {
    proposals.handler = (propose) => {
      for (const shell of shells) propose(shell, "")
    }
  }
  completion?.action((shell: (typeof shells)[number]) => {
    if (shell === "bash") process.stdout.write(bashScript)
    else script(shell, program.name(), program.name())
  })
  named("complete")?.action((words: string[]) => {
    const complete = async () => {
      await proposeLiveValues(root, words)
      root.parse(words)
      return exitCode.done
    }
    return finish(unwritten, complete())
  })
}
