/** The fields of a hast node that this file reads. */
interface Node {
  type: string
  tagName?: string
  value?: string
  properties?: Record<string, unknown>
  children?: Node[]
}

const label = /\[redacted: ([^\]\n]{1,100})\]/

/** Whether the text contains a redaction label. */
export function hasRedaction(text: string): boolean {
  return label.test(text)
}

/** Wraps redaction labels in styled elements. Runs after the sanitizer. */
export function rehypeRedactions() {
  return (tree: Node): void => drawRedactions(tree)
}

function drawRedactions(node: Node): void {
  if (node.children === undefined) return
  node.children = node.children.flatMap((child) => {
    if (child.type === "text" && hasRedaction(child.value ?? "")) return pieces(child.value ?? "")
    drawRedactions(child)
    return [child]
  })
}

function pieces(text: string): Node[] {
  return text.split(label).map((value, index) =>
    index % 2 === 0
      ? { type: "text", value }
      : {
          type: "element",
          tagName: "span",
          properties: { className: ["redacted"] },
          children: [{ type: "text", value: `redacted: ${value}` }],
        },
  )
}
