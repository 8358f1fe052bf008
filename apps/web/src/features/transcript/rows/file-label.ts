import type { FilePart } from "@docket/core/schema"

/** A file's name: given, or the last segment of its `file://` address. A `data:` URL has none. */
export function fileLabel({ filename, url }: FilePart): string {
  if (filename) return filename
  if (!url.startsWith("file:")) return "attachment"
  const name = url.replace(/\?.*$/, "").split("/").at(-1) ?? url
  try {
    return decodeURIComponent(name)
  } catch {
    // An imported session may hold any address.
    return name
  }
}
