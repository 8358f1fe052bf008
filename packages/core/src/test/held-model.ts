import type { LanguageModelV4CallOptions } from "@ai-sdk/provider"
import type { FeedItem, Turn } from "../ground/schema/index.ts"
import { answer, lastUserText, type ScriptedRuntime } from "./scripted-runtime.ts"

type Answer = (options: LanguageModelV4CallOptions) => ReturnType<typeof answer>

export const echo: Answer = (options) => answer(`Answered: ${lastUserText(options)}`)

/** A model that answers when the test says so, unless the call is stopped before. */
export function heldModel(then: Answer = echo) {
  const asked = Promise.withResolvers<LanguageModelV4CallOptions>()
  const released = Promise.withResolvers<void>()
  const script = async (options: LanguageModelV4CallOptions) => {
    asked.resolve(options)
    const stopped = new Promise<never>((_, reject) =>
      options.abortSignal?.addEventListener("abort", () => reject(options.abortSignal?.reason)),
    )
    await Promise.race([released.promise, stopped])
    return then(options)
  }
  return { script, asked: asked.promise, release: released.resolve }
}

export const submit = ({ runtime, session }: ScriptedRuntime, text: string) =>
  runtime.prompt.submit(session.id, { parts: [{ type: "text", text }] })

/** Everything that is said in the session, prompts too. */
export async function texts({ messages }: ScriptedRuntime): Promise<string[]> {
  const { items } = await messages()
  return items.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "text" ? [part.text] : [])))
}

export const turnIs = (id: string, status: Turn["status"]) => (event: FeedItem) =>
  event.type === "turn.updated" && event.properties.turn.id === id && event.properties.turn.status === status
