import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider"

/** Stands where a provider insists on words of the user. */
const goOn = "Continue."

/**
 * A prompt in the order that providers insist on: the user speaks first and last (an answer at the end would be one to
 * complete, which new models refuse). The chat templates of many local models take one system message and then
 * user and assistant in turn.
 *
 * @param npm the AI SDK package that speaks to the provider
 */
export function fitPrompt(prompt: LanguageModelV4Prompt, npm: string): LanguageModelV4Prompt {
  const first = prompt.findIndex(({ role }) => role !== "system")
  const system = first < 0 ? prompt : prompt.slice(0, first)
  const spoken: LanguageModelV4Prompt = []
  for (const message of first < 0 ? [] : prompt.slice(first)) appendFit(spoken, message, npm)
  return [...fitSystem(system, npm), ...endFit(spoken)]
}

/**
 * Puts a message behind a conversation that is fit so far. Messages of the conversation are replaced, never changed.
 */
export function appendFit(spoken: LanguageModelV4Prompt, message: LanguageModelV4Message, npm: string): void {
  if (spoken.length === 0 && message.role !== "user") spoken.push(said(goOn))
  const last = spoken.at(-1)
  if (!takesTurns(npm) || message.role !== "user") spoken.push(message)
  // Neighbouring user messages as one, and neighbouring texts in it too: some servers read the first part only.
  else if (last?.role !== "user") spoken.push(withOneText(message))
  else spoken[spoken.length - 1] = withOneText({ ...last, content: [...last.content, ...message.content] })
}

/** Completes a conversation that is fit so far: it must not end with an answer. */
export function endFit(spoken: LanguageModelV4Prompt): LanguageModelV4Prompt {
  const last = spoken.at(-1)
  return last === undefined || last.role === "assistant" ? [...spoken, said(goOn)] : spoken
}

/** System messages as the provider takes them. */
export function fitSystem(system: LanguageModelV4Prompt, npm: string): LanguageModelV4Prompt {
  const texts = system.flatMap((message) => (message.role === "system" ? [message.content] : []))
  return !takesTurns(npm) || texts.length < 2 ? system : [{ role: "system", content: texts.join("\n\n") }]
}

/** Whether models behind this package may insist on one system message, and on user and assistant in turn. */
function takesTurns(npm: string): boolean {
  return npm === "@ai-sdk/openai-compatible"
}

function said(text: string): LanguageModelV4Message {
  return { role: "user", content: [{ type: "text", text }] }
}

type UserMessage = Extract<LanguageModelV4Message, { role: "user" }>

function withOneText(message: UserMessage): UserMessage {
  const content: UserMessage["content"] = []
  for (const part of message.content) {
    const last = content.at(-1)
    if (part.type !== "text" || last?.type !== "text") content.push(part)
    else content[content.length - 1] = { ...last, text: `${last.text}\n\n${part.text}` }
  }
  return { ...message, content }
}
