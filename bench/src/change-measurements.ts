import type { Measurement, Stage } from "./measurement.ts"
import { median } from "./median.ts"
import { overhead, repeat } from "./overhead.ts"

interface Call {
  name: string
  args: Record<string, unknown>
}

const steps = 10

/** Steps whose tools may change files, so that undo stores the old content. */
export const changeMeasurements: Measurement[] = [
  {
    name: "edit",
    label: "edit step",
    unit: "ms",
    aim: 7,
    opencode: "232 / 69 ms",
    measure: (stage) => changeStep(stage, edits),
  },
  {
    name: "write",
    label: "write step",
    unit: "ms",
    aim: 7,
    opencode: "232 / 69 ms",
    measure: (stage) => changeStep(stage, writes),
  },
  {
    name: "bash",
    label: "bash step (reads a file)",
    unit: "ms",
    aim: 25,
    opencode: "232 / 69 ms",
    measure: (stage) => changeStep(stage, () => [bash("cat notes.md")]),
  },
  {
    name: "bash-change",
    label: "bash step (writes a file)",
    unit: "ms",
    aim: 30,
    opencode: "232 / 69 ms",
    measure: (stage) => changeStep(stage, (file) => [bash(`date +%N > ${file}`)]),
  },
]

const bash = (command: string): Call => ({ name: "bash", args: { command, description: "Run it" } })

const writes = (filePath: string): Call[] =>
  ["one", "two"].map((word) => ({ name: "write", args: { filePath, content: `${word}\n`.repeat(40) } }))

const edits = (filePath: string): Call[] =>
  ["one", "two"].map((word, index) => ({
    name: "edit",
    args: { filePath, oldString: `${word}\n`, newString: `${["two", "one"][index]}\n`, replaceAll: true },
  }))

/** The cost of one step without the turn around it. Each run works on its own file, which it has written before. */
async function changeStep(stage: Stage, calls: (file: string) => Call[]): Promise<number> {
  const run = async (): Promise<number> => {
    const sessionID = await stage.desk.createSession()
    const file = `${crypto.randomUUID()}.txt`
    await overhead(stage, sessionID, { steps: 1, call: writes(file) })
    const plain = await overhead(stage, sessionID)
    return (await overhead(stage, sessionID, { steps, call: calls(file) })) - plain
  }
  await run()
  return median(await repeat(7, run)) / steps
}
