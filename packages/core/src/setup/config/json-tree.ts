import { findNodeAtLocation, type Node } from "jsonc-parser"

export interface JsonValue {
  value: unknown
  /** The path of each key that an object has more than once. */
  repeated: string[][]
}

/** A property of an object, its value missing where the text breaks off. */
function propertyOf({ children = [] }: Node): { key: string; value: Node | undefined } {
  return { key: String(children[0]?.value), value: children[1] }
}

/**
 * Value of a syntax tree. A repeated key counts last, at its last place; objects under it are joined. `__proto__`
 * is left out, so that it reaches no prototype.
 */
export function jsonValue(root: Node): JsonValue {
  const repeated: JsonValue["repeated"] = []
  const visit = (nodes: readonly Node[], path: string[]): unknown => {
    const objects = nodes.filter(({ type }) => type === "object")
    const last = nodes.at(-1)
    if (objects.length === 0) {
      return last?.type === "array" ? (last.children ?? []).map((child) => visit([child], path)) : last?.value
    }
    const byKey = new Map<string, Node[]>()
    for (const property of objects.flatMap(({ children = [] }) => children)) {
      const { key, value } = propertyOf(property)
      if (key === "__proto__" || !value) continue
      const earlier = byKey.get(key) ?? []
      byKey.delete(key)
      byKey.set(key, [...earlier, value])
      if (earlier.length > 0) repeated.push([...path, key])
    }
    return Object.fromEntries([...byKey].map(([key, values]) => [key, visit(values, [...path, key])]))
  }
  return { value: visit([root], []), repeated }
}

/** Every node at a place, also where keys are repeated. */
export function nodesAt(node: Node, path: readonly string[]): Node[] {
  const [first, ...rest] = path
  if (first === undefined) return [node]
  return properties(node).flatMap(({ key, value }) => (key === first && value ? nodesAt(value, rest) : []))
}

/** The properties of an object in their order; none of what is no object. */
export function properties(node: Node): { key: string; value: Node | undefined }[] {
  return node.type === "object" ? (node.children ?? []).map(propertyOf) : []
}

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

/** The line and column of a character offset in a text, both from 1. */
export interface TextPosition {
  line: number
  column: number
}

/** Line and column of `offset` in `text`. An offset past the end is the last position. */
export function textPosition(text: string, offset: number): TextPosition {
  const before = text.slice(0, offset)
  const line = before.split("\n").length
  return { line, column: before.length - before.lastIndexOf("\n") }
}
