import { constants } from "node:os"
import type { EditorAnswer } from "../../ground/schema/index.ts"
import type { Confinement } from "../sandbox/confinement.ts"
import type { Commands } from "./machine.ts"
import type { CommandResult } from "./run-command.ts"

/** The terminal of the editor in which a session is open. */
export interface EditorTerminal {
  /** Whether an editor offers one now. */
  isOffered(): boolean
  /**
   * Runs a shell command to its end; the signal ends it early.
   * @returns null when the editor has left
   */
  run(
    command: { sessionID: string; partID: string; command: string; cwd: string },
    signal: AbortSignal,
  ): Promise<Exclude<EditorAnswer, { kind: "text" }> | null>
}

const reason = "Your editor runs it in its own terminal, not in the sandbox."

/** A command in the terminal of an editor leaves the sandbox, so each one needs the permission for that. */
export function outsideInEditor(
  confinement: Confinement,
  { isOffered }: Pick<EditorTerminal, "isOffered">,
): Confinement {
  const isBound = confinement.kind === "refused" || (confinement.kind === "sandbox" && !confinement.mayLeave)
  return isBound || !isOffered() ? confinement : { kind: "outside", reason }
}

const cutNote = "[the beginning of the output is gone: the terminal keeps only the end]\n"

/** Runs what may run outside the sandbox in the terminal of an editor, as long as one offers it. */
export function editorCommands(commands: Commands, terminal: EditorTerminal): Commands {
  return {
    ...commands,
    async run(request, now) {
      if (request.confine !== undefined || !terminal.isOffered()) return commands.run(request, now)
      const { sessionID, partID, command, cwd, capture } = request
      const timeout = AbortSignal.timeout(request.timeout)
      const ended = () => (request.signal.aborted ? "aborted" : timeout.aborted ? "timeout" : null)
      try {
        const ask = { sessionID, partID, command, cwd }
        const answer = await terminal.run(ask, AbortSignal.any([request.signal, timeout]))
        if (answer?.kind === "failed") {
          throw new Error(`The editor could not run the command in its terminal: ${answer.reason}`)
        }
        if (answer === null && ended() === null) {
          throw new Error(
            "The editor was closed while the command ran in its terminal. How it ended is not known, and it may run on: look before you repeat it.",
          )
        }
        if (answer !== null) await capture.push(Buffer.from((answer.isCut ? cutNote : "") + answer.output))
        request.onOutput()
        return {
          output: await capture.finish(),
          exit: answer?.exit ?? null,
          signal: signalOf(answer?.signal ?? null),
          ended: ended(),
          ...nothingKept,
        }
      } finally {
        await capture.close()
      }
    },
  }
}

/** Of a command in another program nothing more is known. */
const nothingKept: Pick<CommandResult, "over" | "background" | "leftBehind"> = {
  over: null,
  background: [],
  leftBehind: [],
}

function signalOf(name: string | null): NodeJS.Signals | null {
  return name !== null && Object.hasOwn(constants.signals, name) ? (name as NodeJS.Signals) : null
}
