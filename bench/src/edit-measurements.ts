import { type Replacement, replaceText } from "@docket/core/replace-text"
import type { Measurement } from "./measurement.ts"
import { median } from "./median.ts"

const lineCount = 5_000
const rounds = 5
const file = Array.from({ length: lineCount }, (_, index) => lineOf(index)).join("\n")
const equalLines = Array.from({ length: lineCount }, () => "  return value").join("\n")

/** The cost of finding the text of an edit in a file of 5,000 lines, without reading or writing the file. */
export const editMeasurements: Measurement[] = [
  {
    name: "edit-exact",
    label: "edit found in 5,000 lines, exact",
    unit: "ms",
    aim: 5,
    opencode: "–",
    inProcess: true,
    measure: async () => timed(file, lineOf(4_000)),
  },
  {
    name: "edit-loose",
    label: "edit not found in 5,000 lines by nine strategies",
    unit: "ms",
    aim: 40,
    opencode: "–",
    inProcess: true,
    measure: async () => timed(file, `${lineOf(4_000)}\n  absent()\n${lineOf(4_002)}`, /not found/),
  },
  {
    name: "edit-equal",
    label: "edit refused in 5,000 equal lines",
    unit: "ms",
    aim: 250,
    opencode: "–",
    inProcess: true,
    measure: async () => timed(equalLines, "return value\nreturn other\nreturn value", /not found/),
  },
]

function lineOf(index: number): string {
  return `  const value${index} = compute(${index * 7}, "name ${index}")`
}

/**
 * The median time in ms of one replacement.
 * @throws Error when it does not end as `refusal` says: with that message, or without an error when there is none
 */
function timed(text: string, oldString: string, refusal?: RegExp): number {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const start = performance.now()
    const message = refusalOf(text, { oldString, newString: "changed()", replaceAll: false })
    times.push(performance.now() - start)
    const expected = refusal === undefined ? message === null : message !== null && refusal.test(message)
    if (!expected) throw new Error(`the edit ended otherwise than expected: ${message}`)
  }
  return median(times)
}

/** The message of the refusal; null when the text was replaced. */
function refusalOf(text: string, replacement: Replacement): string | null {
  try {
    replaceText(text, replacement)
    return null
  } catch (error) {
    return String(error)
  }
}
