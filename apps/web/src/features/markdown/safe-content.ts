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
  }
  if (node.tagName === "pre" || node.tagName === "table") node.properties = { ...properties, tabIndex: 0 }
  if (node.tagName === "input") node.properties = { ...properties, ariaLabel: properties.checked ? "done" : "open" }
  for (const child of node.children ?? []) complete(child)
}
