const dataUrl = /^data:([^,]*?)(;base64)?,(.*)$/s

/** The content of a `data:` address, and the type that it names. Null for any other address. */
export function readDataUrl(url: string): { named: string; bytes: Buffer } | null {
  if (!url.startsWith("data:")) return null
  const [, named = "", base64, data = ""] = dataUrl.exec(url) ?? []
  return { named, bytes: base64 === undefined ? percentDecoded(data) : Buffer.from(data, "base64") }
}

export function toDataUrl(mime: string, bytes: Buffer): string {
  return `data:${mime};base64,${bytes.toString("base64")}`
}

function percentDecoded(data: string): Buffer {
  try {
    return Buffer.from(decodeURIComponent(data))
  } catch {
    return Buffer.from(data)
  }
}
