import { createIdSource } from "@docket/core"
import type { AssistantMessage, Part, Session } from "@docket/core/schema"
import type { Mutation, Store } from "@docket/core/store"
import { childOf, root, textPart, userMessage } from "@docket/core/store/contract"

const messagesPerTree = 400
const messagesPerCommit = 20
const partsPerMessage = 5
const dayMs = 86_400_000

/**
 * Fills a store with transcripts: one part in five is a text of 700 characters, the others are tool calls with 1,000.
 */
export async function fillTranscripts(store: Store, parts: number): Promise<void> {
  let now = Date.now() - 30 * dayMs
  const createID = createIdSource(() => (now += 20))
  const text = madeUpText()
  for (let message = 0; message < parts / partsPerMessage; message += messagesPerTree) {
    const top = root({ id: createID("session"), agent: "build", cost: (message % 7) / 5, title: text(40) })
    const child = childOf(top, {
      id: createID("session"),
      agent: "explore",
      title: text(40),
      ended: { at: now, how: "failed" },
    })
    const sessions: Mutation[] = [top, child].map((value) => ({ kind: "session", value }))
    await store.write.commit([{ rootID: top.id, mutations: sessions }])
    for (let count = 0; count < messagesPerTree; count += messagesPerCommit) {
      const mutations = Array.from({ length: messagesPerCommit }, (_, index) =>
        turnOf(index % 3 === 0 ? child : top, { createID, text }),
      )
      await store.write.commit([{ rootID: top.id, mutations: mutations.flat() }])
    }
  }
}

interface Making {
  createID: ReturnType<typeof createIdSource>
  text: (size: number) => string
}

function turnOf(session: Session, { createID, text }: Making): Mutation[] {
  const message: AssistantMessage = {
    ...userMessage(session, { id: createID("message"), agent: session.agent }),
    role: "assistant",
    parentID: createID("message"),
    finish: "stop",
    error: null,
    cost: 0,
    tokens: session.tokens,
    time: { created: 1, completed: 2 },
  }
  const answer: Part = { ...textPart(message, text(700)), id: createID("part") }
  const calls = Array.from({ length: partsPerMessage - 1 }, (_, index): Part => {
    const filePath = `src/f${(index * 31 + text(3).length * 7) % 100}.ts`
    const time = { start: 1, end: 2 }
    const state = {
      status: "completed" as const,
      input: { filePath },
      output: text(1_000),
      title: filePath,
      metadata: {},
      time,
    }
    const at = { sessionID: session.id, messageID: message.id, id: createID("part") }
    return { ...at, type: "tool", callID: "call", tool: index === 0 ? "bash" : "read", state }
  })
  const parts = [answer, ...calls].map((value) => ({ kind: "part" as const, value }))
  return [{ kind: "message", value: message }, ...parts]
}

const frequent =
  "the of a to and in is session error file parser const function import return await 中文 src/main.ts parseQuery".split(
    " ",
  )

/** Random words, a few frequent and most of them rare; the same in each run. */
function madeUpText(): (size: number) => string {
  let state = 1
  const random = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) / 2 ** 24
  }
  return (size) => {
    let line = ""
    while (line.length < size) {
      const word =
        random() < 0.5 ? frequent[Math.floor(random() * frequent.length)] : `rare${Math.floor(random() ** 2 * 20_000)}`
      line += `${word} `
    }
    return line
  }
}
