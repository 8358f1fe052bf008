/** How files of these types begin. */
const beginnings: [start: number, bytes: string, mediaType: string][] = [
  [0, "\x89PNG", "image/png"],
  [0, "\xFF\xD8\xFF", "image/jpeg"],
  [0, "GIF8", "image/gif"],
  [8, "WEBP", "image/webp"],
  [0, "%PDF-", "application/pdf"],
]

const textual = /^text\/|[/+](?:json|xml|yaml|x-yaml|toml|javascript|typescript|x-sh|sql|graphql|ndjson)$/

/**
 * The media type of data: by its first bytes where they say it, since providers refuse a picture under another
 * name; else the one that it came with, in lower case and without parameters.
 */
export function mediaTypeOf(data: Uint8Array, named: string): string {
  const known = beginnings.find(([start, bytes]) => latin1(data.subarray(start, start + bytes.length)) === bytes)
  return known?.[2] ?? plainMediaType(named)
}

export function plainMediaType(named: string): string {
  const type = (named.split(";")[0] ?? "").trim().toLowerCase()
  return type === "image/jpg" ? "image/jpeg" : type
}

/** Whether models read data of this type as text. */
export function isTextual(mediaType: string): boolean {
  return textual.test(mediaType)
}

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes)
}
