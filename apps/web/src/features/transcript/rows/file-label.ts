import type { FilePart } from "@docket/core/schema"

/** A file's name: given, or the last segment of its `file://` address. A `data:` URL has none. */
export function fileLabel({ filename, url }: FilePart): string {
  if (filename) return filename
  return url.startsWith("file:") ? decodeURIComponent(url.replace(/\?.*$/, "").split("/").at(-1) ?? url) : "attachment"
}
