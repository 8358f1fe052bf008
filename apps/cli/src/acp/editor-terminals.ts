import type { AgentContext } from "@agentclientprotocol/sdk/unstable"
import type { EditorAnswer, EditorAsk } from "@docket/core/schema"

type RunAsk = Extract<EditorAsk, { kind: "run" }>

/** Commands of agents in terminals of the editor. */
export interface EditorTerminals {
  /** Runs a command to its end. `show` is called once the terminal is open. */
  run(askID: string, ask: RunAsk, at: TerminalPlace): Promise<EditorAnswer>
  /** Ends a command early. */
  end(askID: string): Promise<void>
  /** Ends all commands. */
  close(): Promise<void>
}

interface TerminalPlace {
  /** The session in which the editor shows the call. */
  sessionId: string
  show(terminalId: string): Promise<void>
}

/** Bytes of output that the editor keeps of a command, from its end. */
const outputByteLimit = 1_000_000

/** Nobody answers a prompt or leaves a pager. */
const env = Object.entries({ PAGER: "cat", GIT_PAGER: "cat", GIT_TERMINAL_PROMPT: "0", GIT_EDITOR: "true" }).map(
  ([name, value]) => ({ name, value }),
)

export function createEditorTerminals(editor: Pick<AgentContext, "createTerminal">): EditorTerminals {
  /** By question, what ends its command. */
  const running = new Map<string, () => Promise<void>>()

  return {
    async run(askID, { command, cwd }, { sessionId, show }) {
      let isEnded = false
      let kill = async () => {}
      running.set(askID, async () => {
        isEnded = true
        await kill()
      })
      try {
        const args = ["-c", command]
        await using terminal = await editor.createTerminal({
          ...{ sessionId, command: "bash", args, cwd, env, outputByteLimit },
        })
        kill = async () => void (await terminal.kill())
        if (isEnded) await kill()
        await show(terminal.id)
        const { exitCode, signal } = await terminal.waitForExit()
        const { output, truncated } = await terminal.currentOutput()
        // Some editors keep more than they are asked to.
        const end = output.slice(-outputByteLimit)
        const isCut = truncated || end.length < output.length
        return { kind: "ended", output: end, isCut, exit: exitCode ?? null, signal: signal ?? null }
      } catch (error) {
        return { kind: "failed", reason: String(error instanceof Error ? error.message : error).slice(0, 2_000) }
      } finally {
        running.delete(askID)
      }
    },
    end: async (askID) => await running.get(askID)?.(),
    async close() {
      await Promise.allSettled([...running.values()].map((end) => end()))
    },
  }
}
