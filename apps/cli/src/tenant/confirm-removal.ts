import { askOnTerminal, type Terminal } from "../ask-on-terminal.ts"

/** Asks whether to remove the tenant and all that it `owns`. */
export type ConfirmRemoval = (name: string, owns: string) => Promise<boolean>

/** Asks on a terminal: the user confirms by typing the tenant's name. @throws UsageError when there is no terminal */
export function createTerminalConfirm(input: Terminal["input"], output: Terminal["output"]): ConfirmRemoval {
  return async (name, owns) => {
    const answer = await askOnTerminal(
      { input, output },
      {
        text: `Tenant ${name} owns ${owns}. All of it will be gone for good.\n`,
        question: `Type ${name} to remove it: `,
        otherwise: "add --yes to remove it all the same",
      },
    )
    return answer === name
  }
}
