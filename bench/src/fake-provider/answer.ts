import type { Directive } from "./directive.ts"

/** The content of one answer: text chunks, or tool calls. */
export type Answer =
  | { kind: "text"; chunks: string[]; every?: number }
  | { kind: "calls"; calls: { name: string; args: Record<string, unknown> }[] }

/** Decides the answer to step `step` (from 0) of a directive. */
export function decideAnswer(directive: Directive, step: number): Answer {
  const { call, childPrompt } = directive
  const isDelegation = Boolean(childPrompt) && directive.children > 0 && step === 0
  if (isDelegation) {
    const calls = Array.from({ length: directive.children }, (_, index) => ({
      name: "task",
      args: { description: `Child ${index + 1}`, prompt: childPrompt, subagent_type: "explore" },
    }))
    return { kind: "calls", calls }
  }
  const calls = [call ?? []].flat()
  const next = step < directive.steps ? calls[step % calls.length] : undefined
  if (next !== undefined) return { kind: "calls", calls: Array.from({ length: directive.together }, () => next) }
  const chunks = Array.from({ length: directive.chunks }, (_, index) => `word${index} `)
  return { kind: "text", chunks, every: directive.every }
}

/** The events of a streamed chat completion, ready to be written. */
export function* toEvents(answer: Answer, model: string): Generator<string> {
  const frame = (delta: object, finish: string | null = null, usage?: object) =>
    `data: ${JSON.stringify({
      id: "chatcmpl-bench",
      object: "chat.completion.chunk",
      created: 0,
      model,
      choices: [{ index: 0, delta, finish_reason: finish }],
      ...(usage && { usage }),
    })}\n\n`
  yield frame({ role: "assistant", content: "" })
  // A chunk is created only when it is taken, so that it can carry its sending time.
  if (answer.kind === "text")
    for (const content of answer.chunks) yield frame({ content: answer.every ? `sent:${Date.now()} ` : content })
  else
    for (const [index, { name, args }] of answer.calls.entries())
      yield frame({
        tool_calls: [
          {
            index,
            id: `call_${crypto.randomUUID().slice(0, 12)}`,
            type: "function",
            function: { name, arguments: JSON.stringify(args) },
          },
        ],
      })
  const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 }
  yield frame({}, answer.kind === "text" ? "stop" : "tool_calls", usage)
  yield "data: [DONE]\n\n"
}
