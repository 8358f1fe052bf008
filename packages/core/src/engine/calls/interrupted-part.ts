import { checkWriting, type WritingOutcome } from "../../acts/tool/check-writing.ts"
import { errorText } from "../../ground/error/error-text.ts"
import type { ToolPart } from "../../ground/schema/index.ts"
import { readCallWritings, readToolCall } from "../../ground/schema/read-tool-call.ts"
import type { CallEnd, FileWriting, PatchMetadata } from "../../ground/schema/tool-metadata.ts"

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
  const { writing: _writing, writings: _writings, ...kept } = state.metadata
  const time = { start: state.time.start, end: now }
  const failed = (error: string): ToolPart => ({
    ...part,
    state: { status: "error", input, error, metadata: { ...kept, ...interrupted }, time },
  })
  const writings = readCallWritings(part)
  if (writings === undefined)
    return failed(`Interrupted: ${why} while the tool ran, so its outcome is unknown.${childOf(part)}`)
  const outcomes = await Promise.all(
    writings.map(async (writing) => ({ writing, outcome: await checkWriting(writing) })),
  )
  const [first] = outcomes
  if (first === undefined || outcomes.every(({ outcome }) => outcome.kind === "not_done")) return failed(notDone(why))
  if (outcomes.some(({ outcome }) => outcome.kind !== "done")) return failed(unfinished(outcomes, why))
  const changes = outcomes.map(({ writing: { change }, outcome }) => ({
    ...change,
    ...(outcome.kind === "done" && outcome.version !== undefined && { version: outcome.version }),
  }))
  const { title } = first.writing
  const made: PatchMetadata | undefined = part.tool === "apply_patch" ? { changes, truncated: false } : undefined
  const metadata = { ...kept, ...(made ?? changes[0]) }
  // The model must know of the interruption, so that it does not attribute the change to somebody else.
  const output = `${first.writing.output} (Found done after a break: ${why} before this was recorded.)`
  return { ...part, state: { status: "completed", input, output, title, metadata, time } }
}

interface WriteOutcome {
  writing: FileWriting
  outcome: WritingOutcome
}

/** What became of each file of a call that was not completed. */
function unfinished(outcomes: readonly WriteOutcome[], why: string): string {
  const [only] = outcomes
  if (outcomes.length === 1 && only !== undefined && only.outcome.kind !== "done") {
    return words(only.outcome, only.writing, why)
  }
  return outcomes
    .map(({ writing, outcome }) => {
      const { file } = writing.change
      if (outcome.kind === "done") return `Done: ${file} is as the call was to leave it.`
      return outcome.kind === "not_done" ? `Not done: ${file} is as it was.` : words(outcome, writing, why)
    })
    .join("\n")
}

function notDone(why: string): string {
  return `Not done: ${why} before the file was written. Nothing was changed; send the call again if it is still wanted.`
}

type NotDone = Exclude<WritingOutcome, { kind: "done" }>

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
