import type { OpenedProgram, ProgramDesk, ProgramEnd } from "@docket/core/agent-programs"
import { orAborted } from "@docket/core/or-aborted"
import { createHeldDesk } from "./held-desk.ts"

/** What a subagent is called, and what may be done with it. */
export interface SubagentLabels {
  title: string
  role: string
  mayCancel: boolean
}

/** A subagent from when it was told of until it is idle. One that works again is another run. */
export interface SubagentRun {
  /** The conversation in which it was started. */
  parent: string
  labels: SubagentLabels
  /** Hears what it says. */
  desk: ProgramDesk
  /** It was asked for this, which comes before anything that it does. */
  asked(prompt: string): void
  end(how: ProgramEnd | Error): void
}

interface RunDeps {
  id: string
  parent: string
  /** The desk of the conversation in which it was started. */
  above(): ProgramDesk
  facts(): Omit<OpenedProgram["facts"], "conversation" | "begun">
  /** Tells it to stop. */
  cancel(): void
}

/** Characters of what a subagent is called. */
const longestTitle = 200

export function createSubagentRun({ id, parent, above, facts, cancel }: RunDeps): SubagentRun {
  const labels: SubagentLabels = { title: "", role: "", mayCancel: false }
  const ended = Promise.withResolvers<ProgramEnd>()
  // Its session may never begin.
  ended.promise.catch(() => {})
  let isTold = false
  let isOver = false
  const held = createHeldDesk(() => asked(""))
  const stop = () => {
    held.close()
    if (labels.mayCancel && !isOver) cancel()
  }
  const open = (desk: ProgramDesk): OpenedProgram => {
    held.give(desk)
    let isPrompted = false
    return {
      facts: { ...facts(), conversation: id, begun: "inside" },
      takesPictures: false,
      async prompt(_, signal) {
        if (isPrompted) throw new Error("Only the agent that started this subagent can speak to it.")
        isPrompted = true
        try {
          return await orAborted(ended.promise, signal)
        } catch (error) {
          if (!signal.aborted) throw error
          stop()
          return { why: "stopped", tokens: null }
        }
      },
      end: async () => stop(),
    }
  }
  const asked = (prompt: string) => {
    if (isTold) return
    isTold = true
    const title = (labels.title || labels.role || "Subagent").slice(0, longestTitle)
    above().subagent({ title, prompt: prompt || title, open, refuse: stop })
  }
  return {
    ...{ parent, labels, asked },
    desk: held.desk,
    end(how) {
      // One that did nothing is a child, too.
      asked("")
      isOver = true
      if (how instanceof Error) ended.reject(how)
      else ended.resolve(how)
    },
  }
}
