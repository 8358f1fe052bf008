import { z } from "zod"

const Failure = z.object({ data: z.object({ httpStatus: z.number() }) })

/**
 * Reads the whole answer; of a stream only the first event, and then disconnects. If a subscription fails, the status
 * is that of its error.
 */
export async function readAnswer(answer: Response): Promise<{ status: number; body: string }> {
  const { status } = answer
  if (answer.headers.get("content-type")?.startsWith("text/event-stream") !== true)
    return { status, body: await answer.text() }
  let text = ""
  const decoder = new TextDecoder()
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    const failure = /event: serialized-error\ndata: (.+)\n/.exec(text)?.[1]
    if (failure !== undefined) return { status: Failure.parse(JSON.parse(failure)).data.httpStatus, body: failure }
    // Events for OpenCode's clients have no ids of their own.
    if (/^id: |^data: .*"server\.connected"/m.test(text)) break
  }
  return { status, body: text }
}
