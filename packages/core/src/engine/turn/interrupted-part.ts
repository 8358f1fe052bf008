import { checkWriting } from "../../acts/tool/check-writing.ts"
import { errorText } from "../../ground/error/error-text.ts"
import type { ToolPart } from "../../ground/schema/index.ts"
import { readCallWriting, readToolCall } from "../../ground/schema/read-tool-call.ts"
import type { CallEnd, FileWriting } from "../../ground/schema/tool-metadata.ts"

const interrupted: CallEnd = { interrupted: true }
const unstarted: CallEnd = { ...interrupted, unstarted: true }

/**
 * Ends a call that nothing runs any more. For a call that was about to write a file, the file tells whether it was
 * done.
 * @param why completes "… while the tool ran"
 */
export async function interruptedPart(part: ToolPart, now: number, why: string): Promise<ToolPart> {
  const { state } = part
  if (state.status !== "running") {
    const error = `Not started: ${why} before the tool ran.`
    const time = { start: now, end: now }
    return { ...part, state: { status: "error", input: state.input, error, metadata: unstarted, time } }
  }
  const { input } = state
  const { writing: _writing, ...kept } = state.metadata
  const time = { start: state.time.start, end: now }
  const failed = (error: string): ToolPart => ({
    ...part,
    state: { status: "error", input, error, metadata: { ...kept, ...interrupted }, time },
  })
  const writing = readCallWriting(part)
  if (writing === undefined)
    return failed(`Interrupted: ${why} while the tool ran, so its outcome is unknown.${childOf(part)}`)
  if (writing === null) return failed(notDone(why))
  const outcome = await checkWriting(writing)
  if (outcome.kind !== "done") return failed(words(outcome, writing, why))
  const { title, change } = writing
  const metadata = { ...kept, ...change, version: outcome.version }
  // The model must know of the interruption, so that it does not attribute the change to somebody else.
  const output = `${writing.output} (Found done after a break: ${why} before this was recorded.)`
  return { ...part, state: { status: "completed", input, output, title, metadata, time } }
}

function notDone(why: string): string {
  return `Not done: ${why} before the file was written. Nothing was changed; send the call again if it is still wanted.`
}

type NotDone = Exclude<Awaited<ReturnType<typeof checkWriting>>, { kind: "done" }>

function words(outcome: NotDone, { change: { file } }: FileWriting, why: string): string {
  switch (outcome.kind) {
    case "not_done":
      return notDone(why)
    case "changed":
      return `Interrupted: ${why} while ${file} was being written, and somebody has changed it since: it is neither as it was nor as it was to be. Read it before you change it.`
    case "gone":
      return `Interrupted: ${why} while ${file} was being written, and somebody has removed it since. Look before you write it again.`
    case "unreadable":
      return `Interrupted: ${why} while ${file} was being written, and it cannot be looked at now (${errorText(outcome.error)}), so the outcome is unknown. Read it before you change it.`
  }
}

function childOf(part: ToolPart): string {
  const call = readToolCall(part)
  if (call.tool !== "task" || call.metadata === null) return ""
  return ` The subagent's session is ${call.metadata.sessionId}: pass it as task_id to go on with it.`
}
