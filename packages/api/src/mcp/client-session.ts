import { z } from "zod"

/**
 * A client's session in the protocol. It is nothing but the header that the client sends back: each request tells all of
 * it, so any node can answer. It opens nothing, because whose it is comes from the token.
 */
const ClientSession = z.object({
  /** Tells the sessions of one client apart. */
  id: z.string().max(200),
  /** The name of the client. */
  name: z.string().max(100),
  /** Whether the client can ask its user. */
  elicits: z.boolean(),
})
export type ClientSession = z.infer<typeof ClientSession>

/** A client that does not say who it is. */
const unnamed = "an MCP client"

const Initialize = z.object({
  method: z.literal("initialize"),
  params: z.object({
    clientInfo: z.object({ name: z.string() }),
    capabilities: z.object({ elicitation: z.looseObject({}).optional() }),
  }),
})

/** The session that a first request begins; null for any other request. */
export function beginsSession(message: unknown, createID: () => string): ClientSession | null {
  const first = Initialize.safeParse(message)
  if (!first.success) return null
  const { clientInfo, capabilities } = first.data.params
  return { id: createID(), name: clientName(clientInfo.name), elicits: capabilities.elicitation !== undefined }
}

export function sessionHeader(session: ClientSession): string {
  return Buffer.from(JSON.stringify(session)).toString("base64url")
}

/** The session of a header; null for none, and for a header that Docket did not make. */
export function readSession(header: string | undefined): ClientSession | null {
  if (header === undefined || header.length > 1_000) return null
  try {
    return ClientSession.safeParse(JSON.parse(Buffer.from(header, "base64url").toString("utf8"))).data ?? null
  } catch {
    return null
  }
}

/** Newer revisions of the protocol have no sessions: there, the work of one day of a client is together. */
export function sessionOfDay(
  name: string | undefined,
  { now, elicits }: { now: number; elicits: boolean },
): ClientSession {
  return { id: new Date(now).toISOString().slice(0, 10), name: clientName(name ?? ""), elicits }
}

function clientName(name: string): string {
  return name.trim().slice(0, 100) || unnamed
}
