import type { ContentBlock, ToolCallContent } from "@agentclientprotocol/sdk/unstable"
import { attachedHash, type FilePart } from "@docket/core/schema"
import type { Connected } from "../connect/connect.ts"
import type { Frame } from "./frame.ts"

/** Where a part of a transcript has a file. */
export type PictureFile = Pick<FilePart, "mime" | "url">

/** Reads a kept picture, by the hash of its content, in base64. Null when it cannot be read. */
export type ReadPicture = (hash: string) => Promise<string | null>

/** The most bytes of a picture that are sent to an editor. */
const maxBytes = 10_000_000

/** Reads the pictures of a session's tree from the service. */
export function pictureReader({ url, token }: Pick<Connected, "url" | "token">, sessionID: string): ReadPicture {
  return async (hash) => {
    const response = await fetch(new URL(`/api/attachment/${sessionID}/${hash}`, url), {
      headers: { authorization: `Bearer ${token}` },
    }).catch(() => null)
    if (response === null) return null
    if (!response.ok || Number(response.headers.get("content-length")) > maxBytes) {
      await response.body?.cancel()
      return null
    }
    return Buffer.from(await response.arrayBuffer()).toString("base64")
  }
}

/** A picture as a block of content; null for any other file. That of a kept one has only its address: see `withPictures`. */
export function pictureContent({ mime, url }: PictureFile): ContentBlock | null {
  const [, data] = /^data:image\/[^,]*;base64,(.*)$/s.exec(url) ?? []
  if (data !== undefined) return { type: "image", mimeType: mime, data }
  return mime.startsWith("image/") && attachedHash(url) !== null
    ? { type: "image", mimeType: mime, data: "", uri: url }
    : null
}

/** The frame with the pictures that it only names. One that cannot be read becomes a text. */
export async function withPictures({ sessionId, update }: Frame, read: ReadPicture): Promise<Frame> {
  switch (update.sessionUpdate) {
    case "user_message_chunk":
      return { sessionId, update: { ...update, content: await filled(update.content, read) } }
    case "tool_call":
    case "tool_call_update": {
      if (!update.content?.some(isNamed)) return { sessionId, update }
      const content = await Promise.all(
        update.content.map(async (item) =>
          item.type === "content" ? { ...item, content: await filled(item.content, read) } : item,
        ),
      )
      return { sessionId, update: { ...update, content } }
    }
    default:
      return { sessionId, update }
  }
}

function isNamed(item: ToolCallContent): boolean {
  return item.type === "content" && item.content.type === "image" && item.content.data === ""
}

async function filled(block: ContentBlock, read: ReadPicture): Promise<ContentBlock> {
  if (block.type !== "image" || block.data !== "") return block
  const { uri, ...picture } = block
  const hash = attachedHash(uri ?? "")
  const data = hash === null ? null : await read(hash)
  return data === null ? { type: "text", text: `[${block.mimeType}]` } : { ...picture, data }
}
