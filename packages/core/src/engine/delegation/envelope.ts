/** Characters of the root's request that a child is told. */
const requestLength = 200

export interface Envelope {
  originalRequest: string
  delegatedBy: string
  depth: number
  maxDepth: number
  /** Lines of memory entries, or null. */
  memory: string | null
  /** The open todos in the form of `/todo list`, or null. */
  openTodos: string | null
}

/** The block that a child's prompt starts with: where its task comes from and what is open around it. */
export function envelopeText(envelope: Envelope): string {
  const request = envelope.originalRequest.replace(/\s+/g, " ").trim()
  const lines = [
    "[DELEGATION CONTEXT]",
    `Original request: ${request.length > requestLength ? `${request.slice(0, requestLength)}…` : request}`,
    `Delegated by: ${envelope.delegatedBy}`,
    `Pipeline depth: ${envelope.depth}/${envelope.maxDepth}`,
  ]
  if (envelope.memory !== null) {
    lines.push("Pipeline memory (entries written by prior agents this conversation):", envelope.memory)
  }
  if (envelope.openTodos !== null) {
    lines.push("Open todos (mark progress as you go — /todo start <id>, /todo done <id>):", envelope.openTodos)
  }
  return [...lines, "[END DELEGATION CONTEXT]"].join("\n")
}

/** What the probes of an envelope give. Each may fail or find nothing without harm. */
export async function probe(read: () => Promise<string | null>): Promise<string | null> {
  try {
    return (await read()) || null
  } catch {
    return null
  }
}
