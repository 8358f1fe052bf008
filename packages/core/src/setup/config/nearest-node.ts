import { findNodeAtLocation, type Node } from "jsonc-parser"

/** The value that the keys lead to in a syntax tree, else the nearest one above it that is there. */
export function nearestNode(tree: Node, path: readonly string[]): Node {
  let nearest = tree
  for (const key of path) {
    const isItem = nearest.type === "array" && /^\d+$/.test(key)
    const next = findNodeAtLocation(nearest, [isItem ? Number(key) : key])
    if (next === undefined) return nearest
    nearest = next
  }
  return nearest
}
