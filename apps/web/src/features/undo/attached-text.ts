import type { AttachedFile } from "./restored-prompt.ts"

/** Whether an attachment is a text with its content in a data URL. */
export function isAttachedText({ mime, url }: Pick<AttachedFile, "mime" | "url">): boolean {
  return mime.startsWith("text/") && url.startsWith("data:")
}

/** The content of an attached text; null for other attachments. */
export function attachedText(attachment: Pick<AttachedFile, "mime" | "url">): string | null {
  if (!isAttachedText(attachment)) return null
  const { url } = attachment
  const [head = "", data = ""] = [url.slice(0, url.indexOf(",")), url.slice(url.indexOf(",") + 1)]
  try {
    if (!head.endsWith(";base64")) return decodeURIComponent(data)
    return new TextDecoder().decode(Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0)))
  } catch {
    return null
  }
}
