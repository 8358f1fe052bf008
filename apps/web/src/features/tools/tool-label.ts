/** What a call's tool is called on screen. Calls of a program's own tools are named by their titles. */
export function toolLabel(tool: string): string {
  return tool === "acp" ? "tool" : tool
}
