const base64URL = /^data:([\w.+-]+\/[\w.+-]+)?((?:;[\w-]+=[^;,]{1,100})*);base64,/i
const textKinds =
  /^text\/|^image\/svg|[/+](?:json|xml|yaml|toml|javascript|typescript|x-sh|x-httpd-php|sql|x-www-form-urlencoded)$/i

/** What a string says to a reader, and how it is written once that was changed. */
export interface Readable {
  text: string
  write(text: string): string
}

/** A data URL in base64 as what it holds, when that is text; nothing to read when it is not. Any other string as it is. */
export function readable(text: string): Readable {
  const match = text.startsWith("data:") ? base64URL.exec(text) : null
  if (match === null) return { text, write: (changed) => changed }
  const [head, kind = "text/plain"] = match
  const bytes = Buffer.from(text.slice(head.length), "base64")
  if (!textKinds.test(kind) && bytes.includes(0)) return { text: "", write: () => text }
  return {
    text: bytes.toString("utf8"),
    write: (changed) => head + Buffer.from(changed).toString("base64"),
  }
}
