import type { MessageWithParts, Part, ToolPart } from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"

const pageSize = 500
/** Sessions whose messages are kept between two readings: those of the trees that somebody looks at. */
const maxKept = 40
/** Of this many newest messages the snapshots may still come: they are taken while the model goes on. */
export const unsettled = 20
/** Characters of a prompt that name a turn. */
const promptLength = 200

export interface SessionMessages {
  messages: MessageWithParts[]
  /** There are older ones. */
  truncated: boolean
}

type Stores = Pick<Store, "transcript">

/**
 * Reads the newest messages of a session with what changes are told from, at most `limit`. While a tree works, each
 * reading after the first takes from the store what is new, and the newest messages of before.
 */
export function createSessionMessages(store: Stores): (sessionID: string, limit: number) => Promise<SessionMessages> {
  const kept = new Map<string, SessionMessages>()
  return async (sessionID, limit) => {
    const known = kept.get(sessionID)
    const last = known?.messages.at(-1)?.info.id
    const read =
      known === undefined || last === undefined || !(await isThere(store, sessionID, last))
        ? await newest(store, sessionID, limit)
        : bounded([...known.messages, ...(await after(store, sessionID, last))], known.truncated, limit)
    kept.delete(sessionID)
    kept.set(sessionID, { ...read, messages: read.messages.slice(0, -unsettled) })
    const [oldest] = kept.keys()
    if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest)
    return read
  }
}

function bounded(messages: MessageWithParts[], truncated: boolean, limit: number): SessionMessages {
  if (messages.length <= limit) return { messages, truncated }
  return { messages: limit > 0 ? messages.slice(-limit) : [], truncated: true }
}

/** An undo that a prompt made final takes the end of a transcript: then nothing that is kept counts. */
async function isThere({ transcript }: Stores, sessionID: string, messageID: string): Promise<boolean> {
  const { items } = await transcript.page({ sessionID, around: messageID, limit: 1 })
  return items.some(({ info }) => info.id === messageID)
}

async function after({ transcript }: Stores, sessionID: string, messageID: string): Promise<MessageWithParts[]> {
  const messages: MessageWithParts[] = []
  for (let from: string | null = messageID; from !== null; ) {
    const page = await transcript.page({ sessionID, after: from, limit: pageSize })
    messages.push(...page.items.map(slim))
    from = page.after
  }
  return messages
}

async function newest({ transcript }: Stores, sessionID: string, limit: number): Promise<SessionMessages> {
  const messages: MessageWithParts[] = []
  for (let before: string | undefined; ; ) {
    if (messages.length >= limit) return { messages, truncated: true }
    const room = Math.min(pageSize, limit - messages.length)
    const page = await transcript.page({ sessionID, limit: room, ...(before !== undefined && { before }) })
    messages.unshift(...page.items.map(slim))
    if (page.before === null) return { messages, truncated: false }
    before = page.before
  }
}

/** The message without its long texts. */
function slim({ info, parts }: MessageWithParts): MessageWithParts {
  return { info, parts: parts.flatMap((part) => slimPart(part) ?? []) }
}

function slimPart(part: Part): Part | null {
  switch (part.type) {
    case "patch":
    case "step-finish":
      return part
    case "text":
      return part.synthetic === true ? null : { ...part, text: part.text.slice(0, promptLength) }
    case "tool":
      return ["bash", "edit", "write"].includes(part.tool) ? { ...part, state: slimState(part.state) } : null
    default:
      return null
  }
}

function slimState(state: ToolPart["state"]): ToolPart["state"] {
  if (state.status === "pending") return state
  const { diff, output, ...metadata } = state.metadata
  const texts = { ...(diff !== undefined && { diff: "" }), ...(output !== undefined && { output: "" }) }
  const slim = { input: {}, metadata: { ...metadata, ...texts } }
  return state.status === "completed" ? { ...state, ...slim, output: "" } : { ...state, ...slim }
}
