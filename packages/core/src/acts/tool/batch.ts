import { z } from "zod"
import { repairToolName } from "./run-tool.ts"
import { defineTool, type Tool, type ToolContext } from "./tool.ts"
import { MAX_OUTPUT_BYTES } from "./truncate-output.ts"

/** Most calls of one batch. */
export const MAX_BATCHED = 25

const description = `Makes several independent tool calls at once, up to ${MAX_BATCHED}: reads, searches, small checks.

- Each call is judged, run and shown by itself. Calls that may run in parallel do; the others keep their order.
- One call that fails does not stop the others. The result has the output of every call.
- A batch contains no other batch and no apply_patch. Do not batch calls that need each other's results.`

const parameters = z.strictObject({
  tool_calls: z
    .array(
      z.strictObject({
        tool: z.string().describe("Name of the tool"),
        parameters: z.record(z.string(), z.unknown()).describe("Its arguments"),
      }),
    )
    .min(1)
    .describe(`1 to ${MAX_BATCHED} calls`),
})

/** Runs calls of other tools together, each as a call of its own. */
export function createBatchTool(): Tool<typeof parameters> {
  return defineTool({
    id: "batch",
    description,
    parameters,
    permission: "batch",
    parallel: false,
    limits: `${MAX_BATCHED} calls, ${MAX_OUTPUT_BYTES / 1024} KiB together`,
    // The time of each of its calls is counted.
    waits: true,
    async execute({ tool_calls: all }, context) {
      const given = all.slice(0, MAX_BATCHED)
      await ask(context, given)
      const refused = given.map(({ tool }) => refusal(tool))
      const calls = given.flatMap(({ tool, parameters: input }, index) =>
        refused[index] === null ? [{ tool, input }] : [],
      )
      const results = await context.runCalls(calls)
      let next = 0
      const ends = refused.map((why, index): CallText => {
        const result = why === null ? results[next++] : undefined
        if (result === undefined) return { tool: given[index]?.tool ?? "", done: false, text: why ?? notRun }
        const { state, tool, partID } = result
        return state.status === "completed"
          ? { tool, partID, done: true, text: state.output }
          : { tool, partID, done: false, text: state.error }
      })
      const texts = sharedTexts(ends)
      const succeeded = ends.filter(({ done }) => done).length
      const headline = `${succeeded} of ${all.length} succeeded`
      const left = all.length - given.length
      const tail =
        left > 0 ? [`${left} calls were not run: a batch takes ${MAX_BATCHED}. Send them in another one.`] : []
      const attachments = results.flatMap(({ state }) =>
        state.status === "completed" ? (state.attachments ?? []) : [],
      )
      return {
        title: headline,
        output: [`${headline}.`, ...texts.map(({ text }) => text), ...tail].join("\n\n"),
        ...(attachments.length > 0 && { attachments }),
        metadata: {
          calls: ends.map(({ text: _, ...call }, at) => ({ ...call, ...(texts[at]?.isCut && { cut: true as const }) })),
          total: all.length,
        },
      }
    },
  })
}

const notRun = "Not run: the limit of tool calls was reached."

async function ask({ ask }: Pick<ToolContext, "ask">, calls: readonly { tool: string }[]): Promise<void> {
  const tools = [...new Set(calls.map(({ tool }) => tool.slice(0, 100)))]
  const metadata = { kind: "other", title: `${calls.length} calls: ${tools.join(", ")}` } as const
  await ask({ permission: "batch", patterns: tools, always: ["*"], metadata })
}

/** Tools that no batch contains, however they are spelled. */
const excluded = ["batch", "apply_patch", "patch", "invalid"]

function refusal(tool: string): string | null {
  return repairToolName(tool, excluded) === null ? null : `Not run: a batch contains no ${tool}. Call it by itself.`
}

interface CallText {
  tool: string
  partID?: string
  done: boolean
  text: string
}

/** The outputs under their headlines. When all are too long together, each gets an equal share of the room. */
function sharedTexts(ends: readonly CallText[]): { text: string; isCut: boolean }[] {
  const whole = ends.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
  const share = whole > MAX_OUTPUT_BYTES ? Math.floor(MAX_OUTPUT_BYTES / ends.length) - 200 : Number.POSITIVE_INFINITY
  return ends.map(({ tool, done, text }, index) => {
    const headline = `[${index + 1}] ${tool}${done ? "" : " failed"}:`
    // One character has three bytes at the most.
    if (Buffer.byteLength(text) <= share) return { text: `${headline}\n${text}`, isCut: false }
    const cut = text.slice(0, Math.floor(share / 3))
    const left = `(${text.length - cut.length} more characters were left out. Make this call by itself.)`
    return { text: `${headline}\n${cut}\n${left}`, isCut: true }
  })
}
