import { writeFile } from "node:fs/promises"
import path from "node:path"

/** Most lines and UTF-8 bytes of one tool output that a model reads. */
export const MAX_OUTPUT_LINES = 2_000
export const MAX_OUTPUT_BYTES = 51_200

/** Tells the model how to get the rest of an output; all tools use the same words. */
export function outputHint(file: string): string {
  return `The full output is saved in ${file}. Search it with grep, or read parts of it with offset and limit, instead of reading it whole.`
}

export interface TruncatedOutput {
  output: string
  /** Null when nothing was left out. */
  outputPath: string | null
}

/** Shortens an output to the limits and saves the full text in `directory` when something was cut. */
export async function truncateOutput(
  output: string,
  target: { directory: string; partID: string },
): Promise<TruncatedOutput> {
  const head = firstLines(output)
  if (head.length === output.length) return { output, outputPath: null }
  const outputPath = path.join(target.directory, outputFileName(target.partID))
  await writeFile(outputPath, output, { mode: 0o600, flag: "wx" })
  const left = output.length - head.length
  return { output: `${head}\n\n(${left} more characters were left out. ${outputHint(outputPath)})`, outputPath }
}

/** The file name for a call's full output. Providers may repeat call ids; part ids are unique. */
export function outputFileName(partID: string): string {
  return `tool_${partID}.txt`
}

function firstLines(output: string): string {
  let end = 0
  for (let line = 0; line < MAX_OUTPUT_LINES; line++) {
    const at = output.indexOf("\n", end)
    if (at < 0) {
      end = output.length
      break
    }
    end = at + 1
  }
  const lines = output.slice(0, end)
  const bytes = Buffer.from(lines, "utf8")
  if (bytes.length <= MAX_OUTPUT_BYTES) return lines
  const text = bytes.subarray(0, characterStart(bytes, MAX_OUTPUT_BYTES)).toString("utf8")
  const lastBreak = text.lastIndexOf("\n")
  return lastBreak > 0 ? text.slice(0, lastBreak + 1) : text
}

/** The largest index up to `index` at which a UTF-8 character begins. */
function characterStart(bytes: Uint8Array, index: number): number {
  let at = index
  while (at > 0 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at--
  return at
}
