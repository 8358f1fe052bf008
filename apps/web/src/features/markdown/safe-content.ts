import { defaultSchema, type Options as SanitizeSchema } from "rehype-sanitize"

/** The fields of a hast node that are changed below. */
interface Node {
  type: string
  tagName?: string
  value?: string
  properties?: Record<string, unknown>
  children?: Node[]
}

/**
 * What model output may contain: GitHub's allow-list, links to http(s) and mailto only, no images.
 */
export const sanitizeSchema: SanitizeSchema = {
  ...defaultSchema,
  tagNames: (defaultSchema.tagNames ?? []).filter((name) => name !== "img" && name !== "picture" && name !== "source"),
  protocols: { href: ["http", "https", "mailto"] },
}

/**
 * Runs before the sanitizer. Images become links, so that nothing loads from other sites; raw HTML becomes plain text;
 * headings of any level become `h3`, one level below the transcript's own turn headings.
 */
export function rehypeTranscriptContent() {
  return (tree: Node): void => rewrite(tree)
}

/**
 * Runs after the sanitizer: links open in a new tab and send no referrer, scrollable elements can get keyboard focus,
 * and task list check boxes have names.
 */
export function rehypeAccessibleContent() {
  return (tree: Node): void => complete(tree)
}

function rewrite(node: Node): void {
  if (node.type === "raw") node.type = "text"
  if (node.tagName === "img") {
    const { src, alt } = node.properties ?? {}
    node.tagName = "a"
    node.properties = { href: src }
    node.children = [{ type: "text", value: typeof alt === "string" && alt !== "" ? alt : String(src ?? "image") }]
  }
  if (node.tagName && /^h[1-6]$/.test(node.tagName)) node.tagName = "h3"
  for (const child of node.children ?? []) rewrite(child)
}

function complete(node: Node): void {
  const properties = node.properties ?? {}
  if (node.tagName === "a" && properties.href !== undefined) {
    node.properties = { ...properties, rel: "noopener noreferrer", target: "_blank" }
    const host = hiddenHost(String(properties.href), textOf(node))
    if (host !== null) node.children = [...(node.children ?? []), { type: "text", value: ` (${host})` }]
  }
  // The sanitizer removed an address that may not be opened.
  if (node.tagName === "a" && properties.href === undefined && properties.id === undefined) node.tagName = "span"
  if (node.tagName === "pre" || node.tagName === "table") node.properties = { ...properties, tabIndex: 0 }
  if (node.tagName === "input") node.properties = { ...properties, ariaLabel: properties.checked ? "done" : "open" }
  for (const child of node.children ?? []) complete(child)
}

/** A web address within text, with or without its scheme. */
const address = /(?:https?:\/\/)?(?:[^\s/@?#]*@)?((?:[\p{L}\p{N}-]+\.)+\p{L}[\p{L}\p{N}-]*)/giu
/** Invisible characters are removed first: they could hide an address or make up one that people do not see. */
const unseen = /[\p{Cc}\p{Cf}]/gu
/** Words that are certainly an address. Without such a beginning, `index.ts` may be a host or a file name. */
const certainAddress = /^(?:https?:\/\/|www\.)/i

/** Stands for the page's own origin. Addresses are resolved against it, because even `//host` may lead away from it. */
const here = "https://here.invalid"

/** The host of a link whose text names a different host; null when the text names none, or the same one. */
function hiddenHost(href: string, words: string): string | null {
  if (!URL.canParse(href, here)) return null
  const { host, hostname, origin, protocol } = new URL(href, here)
  if (protocol !== "https:" && protocol !== "http:") return null
  const isHere = origin === here
  const plain = words.replace(unseen, "")
  for (const { 0: found, 1: shown = "" } of plain.matchAll(address)) {
    // A name that may be a file's counts only as the whole text of a link to another site.
    const mayBeFileName = !certainAddress.test(found) && (isHere || plain.trim() !== found)
    if (mayBeFileName) continue
    const url = `https://${shown}`
    const shownHost = URL.canParse(url) ? withoutWww(new URL(url).hostname) : null
    if (shownHost !== null && shownHost !== withoutWww(hostname)) return isHere ? "this service" : host
  }
  return null
}

function withoutWww(hostname: string): string {
  return hostname.replace(/^www\./, "")
}

function textOf(node: Node): string {
  return (node.value ?? "") + (node.children ?? []).map(textOf).join("")
}
