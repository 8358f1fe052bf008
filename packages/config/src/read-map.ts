import type { Layers } from "./find-layer-problems.ts"

/**
 * The layers of a source tree as a document draws them: a list item that begins with the tree's path, then layers with
 * an arrow between them. What stands in parentheses explains.
 */
export function readMap(markdown: string, tree: string): Layers {
  const items = markdown.split(/^(?=- |\n)/m).map((item) => item.replace(/\s+/g, " "))
  // The 5 are the characters around the path: dash, space, two backticks and colon.
  const drawn = items.find((item) => item.startsWith(`- \`${tree}\`:`))?.slice(tree.length + 5) ?? ""
  const bare = drawn.replace(/\([^)]*\)/g, "")
  return bare.split("←").map((layer) => [...layer.matchAll(/`([^`]+)`/g)].map((name) => name[1] ?? ""))
}
