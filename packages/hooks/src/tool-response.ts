import type { ToolResult } from "@docket/core/tool"

/** Tools that write the file which they name. */
const writers: readonly string[] = ["Edit", "MultiEdit", "Write"]

/** The result of a call, as hooks of Claude Code read it. */
export function claudeOutput(
  tool: string,
  { output, title }: Pick<ToolResult, "output" | "title">,
  input: Record<string, unknown>,
): Record<string, unknown> {
  if (tool === "Bash") return { stdout: output, stderr: "", interrupted: false, isImage: false }
  if (writers.includes(tool)) return { filePath: input.file_path, success: true, output }
  if (tool === "Read") return { type: "text", file: { filePath: input.file_path, content: output } }
  return { title, output }
}

/** The text of another output that a hook gives. */
export function readOutput(given: unknown): string {
  if (typeof given === "string") return given
  if (typeof given === "object" && given !== null) {
    for (const key of ["stdout", "output", "content", "text"]) {
      const said: unknown = Reflect.get(given, key)
      if (typeof said === "string") return said
    }
  }
  return JSON.stringify(given) ?? ""
}
