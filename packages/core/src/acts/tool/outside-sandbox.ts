import type { PermissionMetadata } from "../../ground/schema/index.ts"
import type { Confinement } from "../sandbox/confinement.ts"
import type { ToolContext } from "./tool.ts"

/** The right to run a command outside the sandbox. */
export const outsidePermission = "sandbox"

/** Where a command may run. */
export type CommandPlace = Extract<Confinement, { kind: "none" | "sandbox" }>

interface OutsideRequest {
  command: string
  /** Why it has to run outside, in the model's words; undefined when it does not ask to. */
  reason: string | undefined
  metadata(): Promise<Extract<PermissionMetadata, { kind: "command" }>>
}

/**
 * Where a command runs: in the sandbox, or outside when there is none, or when somebody allows it.
 * @throws Error when it may run nowhere; what `ask` throws when it is not allowed
 */
export async function placeOfCommand(
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
    // As a pattern it would stand for other commands, too.
    always: /[*?]/.test(pattern) ? [] : [pattern],
    metadata: async () => ({ ...(await metadata()), outside: why }),
  })
  return { kind: "none" }
}
