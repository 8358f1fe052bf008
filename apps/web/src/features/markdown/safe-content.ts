import { defaultSchema, type Options as SanitizeSchema } from "rehype-sanitize"

/** The parts of a hast node that the rewriting below touches. */
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
 * Runs before the sanitizer. Images become links, so that nothing loads from elsewhere; raw HTML becomes
 * the text it is; headings of any depth become `h3`, one level below the transcript's own turn headings.
 */
export function rehypeTranscriptContent() {
  return (tree: Node): void => rewrite(tree)
}

/**
 * Runs after the sanitizer: links open outside the app and tell the target nothing; what scrolls can be
 * reached by keyboard; check boxes of task lists have names.
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
  // The sanitizer took an address that may not be opened.
  if (node.tagName === "a" && properties.href === undefined && properties.id === undefined) node.tagName = "span"
  if (node.tagName === "pre" || node.tagName === "table") node.properties = { ...properties, tabIndex: 0 }
  if (node.tagName === "input") node.properties = { ...properties, ariaLabel: properties.checked ? "done" : "open" }
  for (const child of node.children ?? []) complete(child)
}

/** An address in words, with or without its scheme. */
const address = /(?:https?:\/\/)?(?:[^\s/@?#]*@)?((?:[\p{L}\p{N}-]+\.)+\p{L}[\p{L}\p{N}-]*)/giu
/** The unseen within words must not make an address out of what is none to a person, nor hide one. */
const unseen = /[\p{Cc}\p{Cf}]/gu
/** What ends like a file is not taken for an address without a scheme. */
const named = /^(?:https?:\/\/|www\.)/i

/** Stands for the page's own address: `//host` leads away from it too. */
const here = "https://here.invalid"

/** Where a link leads whose words name another host; null when they name none, or that one. */
function hiddenHost(href: string, words: string): string | null {
  if (!URL.canParse(href, here)) return null
  const { host, hostname, origin, protocol } = new URL(href, here)
  if (protocol !== "https:" && protocol !== "http:") return null
  const isHere = origin === here
  const plain = words.replace(unseen, "")
  for (const { 0: found, 1: shown = "" } of plain.matchAll(address)) {
    if (!named.test(found) && (isHere || plain.trim() !== found)) continue
    const url = `https://${shown}`
    if (URL.canParse(url) && bare(new URL(url).hostname) !== bare(hostname)) return isHere ? "this service" : host
  }
  return null
}

function bare(hostname: string): string {
  return hostname.replace(/^www\./, "")
}

function textOf(node: Node): string {
  return (node.value ?? "") + (node.children ?? []).map(textOf).join("")
}
