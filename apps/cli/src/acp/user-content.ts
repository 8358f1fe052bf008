import path from "node:path"
import type { ContentBlock } from "@agentclientprotocol/sdk/unstable"
import { noticeOf } from "@docket/core/message"
import type { Part } from "@docket/core/schema"
import { pictureContent } from "./pictures.ts"

/** A part of a person's prompt as editors draw it; null for what nobody typed or attached. */
export function userContent(part: Part): ContentBlock | null {
  switch (part.type) {
    case "text":
      return part.synthetic || noticeOf(part) !== null || part.text === "" ? null : { type: "text", text: part.text }
    case "subtask":
      return part.command === undefined ? { type: "text", text: `@${part.agent} ${part.prompt}` } : null
    case "file":
      return fileContent(part)
    default:
      return null
  }
}

function fileContent(part: Extract<Part, { type: "file" }>): ContentBlock {
  const { url, mime, filename } = part
  const picture = pictureContent(part)
  if (picture !== null) return picture
  if (url.startsWith("file:")) {
    return { type: "resource_link", uri: url, name: filename ?? path.basename(new URL(url).pathname), mimeType: mime }
  }
  return { type: "text", text: `[${filename ?? mime}]` }
}
