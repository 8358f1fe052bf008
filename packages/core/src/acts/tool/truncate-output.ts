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
  target: { directory: string; partID: string; longest?: number | undefined },
): Promise<TruncatedOutput> {
  const { longest } = target
  const head = longest === undefined ? firstLines(output) : firstBytes(output, longest)
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
  return firstBytes(output.slice(0, end), MAX_OUTPUT_BYTES)
}

/** As many whole lines as fit. */
function firstBytes(text: string, most: number): string {
  const bytes = Buffer.from(text, "utf8")
  if (bytes.length <= most) return text
  const head = bytes.subarray(0, characterStart(bytes, most)).toString("utf8")
  const lastBreak = head.lastIndexOf("\n")
  return lastBreak > 0 ? head.slice(0, lastBreak + 1) : head
}

/** The largest index up to `index` at which a UTF-8 character begins. */
function characterStart(bytes: Uint8Array, index: number): number {
  let at = index
  while (at > 0 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at--
  return at
}
