import type { Message, MessageWithParts, ModelInfo, ModelRef, Part } from "@docket/core/schema"

/** A message in the form of OpenCode's SDK. */
export function toOpencodeMessage(info: Message, directory: string, worktree: string): Record<string, unknown> {
  const { id, sessionID, role, agent, model, time } = info
  if (role === "user") {
    return { id, sessionID, role, time, agent, model, ...(info.system !== undefined && { system: info.system }) }
  }
  const { parentID, cost, tokens, error, finish, summary } = info
  return {
    ...{ id, sessionID, role, parentID, cost, tokens, agent, ...model },
    mode: agent,
    path: { cwd: directory, root: worktree },
    time: {
      created: time.created,
      ...("completed" in time && time.completed !== null && { completed: time.completed }),
    },
    ...(error !== null && { error: { name: error.name, data: { message: error.message } } }),
    ...(finish !== null && { finish }),
    ...(summary && { summary }),
  }
}

/** A part in the form of OpenCode's SDK, which is nearly that of Docket. */
export function toOpencodePart(part: Part): Record<string, unknown> {
  if (part.type === "tool") {
    const { providerMetadata: _, batchID: __, ...rest } = part
    return rest
  }
  const { providerMetadata: _, ...rest } = { providerMetadata: undefined, ...part }
  return rest
}

export function toOpencodeMessages(
  messages: readonly MessageWithParts[],
  place: { directory: string; worktree: string },
) {
  return messages.map(({ info, parts }) => ({
    info: toOpencodeMessage(info, place.directory, place.worktree),
    parts: parts.map(toOpencodePart),
  }))
}

/** A model in the form of OpenCode's SDK, as far as it is known. */
export function toOpencodeModel(ref: ModelRef, info: ModelInfo | null): Record<string, unknown> {
  const { cost, limit } = info ?? {}
  return {
    id: ref.modelID,
    providerID: ref.providerID,
    api: { id: ref.modelID, url: "", npm: "" },
    name: info?.name ?? ref.modelID,
    capabilities: {
      ...{ temperature: true, reasoning: info?.reasoning ?? false, attachment: true, toolcall: info?.toolCall ?? true },
      input: { text: true, audio: false, image: true, video: false, pdf: true },
      output: { text: true, audio: false, image: false, video: false, pdf: false },
    },
    cost: {
      input: cost?.input ?? 0,
      output: cost?.output ?? 0,
      cache: { read: cost?.cacheRead ?? 0, write: cost?.cacheWrite ?? 0 },
    },
    limit: { context: limit?.context ?? 0, output: limit?.output ?? 0 },
    status: "active",
    options: {},
    headers: {},
  }
}

/** Models in the form of OpenCode's SDK, by their ids. */
export function toOpencodeModels(models: readonly ModelInfo[]): Record<string, Record<string, unknown>> {
  return Object.fromEntries(
    models.map((info) => [info.id, toOpencodeModel({ providerID: info.providerID, modelID: info.id }, info)]),
  )
}

/** A provider in the form of OpenCode's SDK, as far as a plugin may know it: without its key. */
export function toOpencodeProvider({ providerID }: ModelRef): Record<string, unknown> {
  return {
    source: "config",
    info: { id: providerID, name: providerID, source: "config", env: [], options: {}, models: {} },
    options: {},
  }
}
