import type { useTRPCClient } from "@docket/client/react"
import type { Part } from "@docket/core/schema"

type Client = ReturnType<typeof useTRPCClient>

/** The part to link to for a message; null when the message is deleted or cannot be read. */
export async function firstPart(client: Client, sessionID: string, messageID: string): Promise<string | null> {
  return (await partsOf(client, sessionID, messageID))[0]?.id ?? null
}

/** The last text part of a message, or else its last part. */
export async function lastText(client: Client, sessionID: string, messageID: string): Promise<string | null> {
  const parts = await partsOf(client, sessionID, messageID)
  const text = parts.findLast((part) => part.type === "text" && part.text.trim() !== "")
  return (text ?? parts.at(-1))?.id ?? null
}

async function partsOf(client: Client, sessionID: string, messageID: string): Promise<readonly Part[]> {
  try {
    const { items } = await client.session.messages.query({ sessionID, around: messageID, limit: 3 })
    return items.find(({ info }) => info.id === messageID)?.parts ?? []
  } catch {
    // Without parts, the link goes to the session itself.
    return []
  }
}
