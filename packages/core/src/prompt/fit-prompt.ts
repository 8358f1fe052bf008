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
  const spoken = first < 0 ? [] : prompt.slice(first)
  if (spoken[0]?.role !== "user") spoken.unshift(said(goOn))
  if (spoken.at(-1)?.role === "assistant") spoken.push(said(goOn))
  return npm === "@ai-sdk/openai-compatible"
    ? [...joinedSystem(system), ...joinedUsers(spoken)]
    : [...system, ...spoken]
}

function said(text: string): LanguageModelV4Message {
  return { role: "user", content: [{ type: "text", text }] }
}

function joinedSystem(system: LanguageModelV4Prompt): LanguageModelV4Prompt {
  const texts = system.flatMap((message) => (message.role === "system" ? [message.content] : []))
  return texts.length < 2 ? system : [{ role: "system", content: texts.join("\n\n") }]
}

/** Neighbouring user messages as one, and neighbouring texts in it too: some servers read the first part only. */
function joinedUsers(messages: LanguageModelV4Prompt): LanguageModelV4Prompt {
  const joined: LanguageModelV4Message[] = []
  for (const message of messages) {
    const last = joined.at(-1)
    if (message.role !== "user" || last?.role !== "user") joined.push(message)
    else joined[joined.length - 1] = { ...last, content: [...last.content, ...message.content] }
  }
  return joined.map((message) => (message.role === "user" ? withOneText(message) : message))
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
