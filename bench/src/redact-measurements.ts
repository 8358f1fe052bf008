import { createScanner, homeOwner, redactAll, redactRow, scanRow } from "@docket/core/redact"
import type { Measurement } from "./measurement.ts"
import { median } from "./median.ts"

/** UTF-16 units of the transcript, and of each of its parts. */
const transcriptSize = 10_000_000
const partSize = 4_000

/** Maximum length of tool output: longer outputs are cut. */
const longestOutput = 50_000
/**
 * A diff with one letter per line, on both sides: the slowest text that was found, because it is read and cut most
 * often.
 */
const slowestText = "+a\n-b\n"

/** The cost of scanning a share for secrets. OpenCode does not redact. */
export const redactMeasurements: Measurement[] = [
  {
    name: "redact",
    label: "scan of a 10 MB transcript (processor time)",
    unit: "ms",
    aim: 2_000,
    opencode: "–",
    inProcess: true,
    measure: async () => scanTranscript().total,
  },
  {
    name: "redact-part",
    label: "one part of it (4 kB, 99th percentile)",
    unit: "ms",
    aim: 2,
    opencode: "–",
    inProcess: true,
    measure: async () => scanTranscript().slowest,
  },
  {
    // A worst case that nobody writes; each of its parts blocks the event loop for a 200th of the time.
    name: "redact-hostile",
    label: "scan of 10 MB of the slowest text known (processor time)",
    unit: "ms",
    aim: 6_000,
    opencode: "–",
    inProcess: true,
    measure: scanSlowest,
  },
]

async function scanSlowest(): Promise<number> {
  const scanner = benchScanner()
  const output = slowestText.repeat(longestOutput / slowestText.length)
  const part = toolPart(output)
  return timeOf(() => {
    for (let scanned = 0; scanned < transcriptSize; scanned += longestOutput)
      redactRow(scanRow(scanner, part), redactAll)
  })
}

/** Processor time (ms), because the work does not wait for anything. */
function timeOf(work: () => unknown): number {
  const start = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1_000
}

function benchScanner() {
  return createScanner({ key: "bench", owner: homeOwner("/home/alice"), known: knownValues(), patterns: [] })
}

function scanTranscript(): { total: number; slowest: number } {
  const scanner = benchScanner()
  const parts = Array.from({ length: transcriptSize / partSize }, (_, index) => madeUpPart(index))
  const runs = Array.from({ length: 3 }, () => {
    const times = parts.map((part) => timeOf(() => redactRow(scanRow(scanner, part), redactAll)))
    const sorted = times.toSorted((left, right) => left - right)
    return { total: times.reduce((sum, time) => sum + time, 0), slowest: sorted[Math.floor(sorted.length * 0.99)] ?? 0 }
  })
  return { total: median(runs.map(({ total }) => total)), slowest: median(runs.map(({ slowest }) => slowest)) }
}

function knownValues() {
  return Array.from({ length: 20 }, (_, index) => ({ value: `known-value-${index * 7_919}`, label: "key" }))
}

const words =
  "const the export function import return await session part message 0x1f3a node_modules/foo-bar/index.js:12:4 error Type 'x' is not assignable https://example.com/a?b=c key token /home/alice/work \\n \u001b[31mred\u001b[0m".split(
    " ",
  )

/** A tool call with output; every fiftieth contains a key. */
function madeUpPart(index: number) {
  const lines: string[] = []
  let state = index + 1
  for (let size = 0; size < partSize; ) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    const word = words[(state >>> 8) % words.length] ?? ""
    lines.push(state % 13 === 0 ? `${word}\n` : word)
    size += word.length + 1
  }
  const output = lines.join(" ") + (index % 50 === 0 ? ` AKIA${"Q7XZ".repeat(4)}` : "")
  return toolPart(output)
}

function toolPart(output: string) {
  return { id: "prt_1", type: "tool", tool: "bash", state: { status: "completed", input: {}, output, metadata: {} } }
}
