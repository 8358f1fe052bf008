import { stripVTControlCharacters } from "node:util"
import { z } from "zod"
import { knownType, pictureTypes } from "../../ground/media/media-type.ts"

/** Bytes; larger ones hold outputs that no model reads. */
export const maxNotebookBytes = 10 * 1024 * 1024
/** Pictures of a notebook that are returned. */
const maxPictures = 10
/** Characters of one output. */
const maxOutput = 10_000
/** Cells, and outputs of one cell, that are shown. */
const maxCells = 10_000
const maxOutputs = 200

/** Zod tells of each wrong item, which takes gigabytes for a list of millions. */
const Lines = z.custom<string[]>((value) => Array.isArray(value) && value.every((line) => typeof line === "string"))
/** nbformat writes texts as one string or as a list of lines. */
const Text = z.union([z.string(), Lines]).transform((text) => [text].flat().join(""))
const Data = z.record(z.string(), z.unknown())
const Items = z.custom<unknown[]>(Array.isArray)

const Output = z.discriminatedUnion("output_type", [
  z.object({ output_type: z.literal("stream"), name: z.string().default("stdout"), text: Text }),
  z.object({ output_type: z.literal("display_data"), data: Data }),
  z.object({ output_type: z.literal("execute_result"), data: Data }),
  z.object({
    output_type: z.literal("error"),
    ename: z.string().default("Error"),
    evalue: z.string().default(""),
    traceback: Lines.default([]),
  }),
])

const Cell = z.object({
  cell_type: z.string(),
  source: Text,
  execution_count: z.number().nullish(),
  outputs: Items.default([]),
})

const Notebook = z.object({ nbformat: z.number(), cells: Items })

export interface ReadNotebook {
  text: string
  pictures: { bytes: Buffer; filename: string }[]
}

/**
 * A Jupyter notebook as its cells with their outputs, in order; pictures are named where they stand.
 * @throws Error that says what is wrong with it, in words that follow its name
 */
export function readNotebook(content: Buffer): ReadNotebook {
  const notebook = Notebook.safeParse(parsed(content.toString("utf8")))
  if (!notebook.success) throw new Error("is no notebook of format 4: it has no cells. Read it with bash.")
  const { cells: all } = notebook.data
  const pictures: ReadNotebook["pictures"] = []
  const keep = (bytes: Buffer, type: string): string => {
    if (knownType(bytes) !== type) return "[broken picture]"
    if (pictures.length === maxPictures) return "[picture left out]"
    const filename = `output-${pictures.length + 1}.${type.slice("image/".length)}`
    pictures.push({ bytes, filename })
    return `[picture: ${filename}]`
  }
  const cells = all.slice(0, maxCells).map((value, index) => {
    const { success, data: cell } = Cell.safeParse(value)
    if (!success) return `=== cell ${index + 1} (broken)`
    const run =
      cell.cell_type !== "code" ? "" : cell.execution_count == null ? ", not run" : `, run ${cell.execution_count}`
    const shownOutputs = cell.outputs.slice(0, maxOutputs).map((output) => outputText(output, keep))
    const outputs = shownOutputs.filter((text) => text !== "")
    if (cell.outputs.length > maxOutputs) outputs.push(`[${cell.outputs.length - maxOutputs} more outputs]`)
    const shown = outputs.length === 0 ? "" : `\n--- output\n${outputs.join("\n")}`
    return `=== cell ${index + 1} (${cell.cell_type}${run})\n${cell.source.trimEnd()}${shown}`
  })
  if (all.length > maxCells) cells.push(`(${all.length - maxCells} more cells are left out.)`)
  return { text: cells.join("\n\n"), pictures }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.slice(0, 200) : String(cause)
    throw new Error(`is a broken notebook: it is no JSON (${reason}). Repair it with bash.`, { cause })
  }
}

function outputText(value: unknown, keep: (bytes: Buffer, type: string) => string): string {
  const output = Output.safeParse(value)
  if (!output.success) return "[output of an unknown kind]"
  switch (output.data.output_type) {
    case "stream":
      return plain(output.data.text)
    case "error": {
      const { ename, evalue, traceback } = output.data
      return plain([`${ename}: ${evalue}`, ...traceback].join("\n"))
    }
    default:
      return dataText(output.data.data, keep)
  }
}

/** A picture where there is one: the text beside it only names it. */
function dataText(data: Record<string, unknown>, keep: (bytes: Buffer, type: string) => string): string {
  for (const type of pictureTypes) {
    const picture = Text.safeParse(data[type])
    if (picture.success) return keep(Buffer.from(picture.data, "base64"), type)
  }
  for (const type of ["text/plain", "text/markdown", "text/html"]) {
    const text = Text.safeParse(data[type])
    if (text.success) return plain(text.data)
  }
  return `[output of type ${Object.keys(data).slice(0, 5).join(", ").slice(0, 200) || "unknown"}]`
}

function plain(text: string): string {
  const shown = stripVTControlCharacters(text).trimEnd()
  if (shown.length <= maxOutput) return shown
  return `${shown.slice(0, maxOutput)}\n[${shown.length - maxOutput} more characters of this output]`
}
