import { mkdir, writeFile } from "node:fs/promises"
import path from "node:path"
import { openDesk, type TurnPlan } from "./desk.ts"
import type { Measurement, Stage } from "./measurement.ts"
import { median } from "./median.ts"
import { overhead, repeat } from "./overhead.ts"
import { createWorkplace } from "./workplace.ts"

const args = { filePath: "notes.md" }
const batched = 25
const batch = {
  name: "batch",
  args: { tool_calls: Array.from({ length: batched }, () => ({ tool: "read", parameters: args })) },
}

/** A tool that needs nothing but its process. */
const greet = `export default { description: "Greets.", args: {}, execute: async () => "Hello" }\n`

/** The cost of calls that are more than one read: many at once, and one of a tool file. */
export const toolCallMeasurements: Measurement[] = [
  {
    name: "batch",
    label: "step with 25 reads in a batch",
    unit: "ms",
    aim: 40,
    opencode: "–",
    measure: (stage) => step(stage, { call: batch }),
  },
  {
    name: "batch-own",
    label: "what a batch adds to its 25 reads",
    unit: "ms",
    aim: 15,
    opencode: "–",
    measure: ownCost,
  },
  {
    name: "custom-tool",
    label: "call of a tool from a file",
    unit: "ms",
    aim: 500,
    opencode: "–",
    measure: customTool,
  },
]

/** The median time in ms of a step with this call, over a turn without one. */
async function step(
  stage: Pick<Stage, "desk" | "provider">,
  calls: Pick<TurnPlan, "call" | "together">,
): Promise<number> {
  const steps = 5
  const plan = { ...calls, steps }
  const inNew = async (given: TurnPlan) => overhead(stage, await stage.desk.createSession(), given)
  await repeat(2, () => inNew(plan))
  const plain = median(await repeat(7, () => inNew({})))
  return (median(await repeat(7, () => inNew(plan))) - plain) / steps
}

/** Beside 25 reads, the step of a batch has one more call, and its result in which the others stand. */
async function ownCost(stage: Stage): Promise<number> {
  const steps = 5
  const plans: TurnPlan[] = [
    { call: batch, steps },
    { call: { name: "read", args }, together: batched, steps },
  ]
  const differences = await repeat(9, async () => {
    const times: number[] = []
    for (const plan of plans) times.push(await overhead(stage, await stage.desk.createSession(), plan))
    const [inBatch = 0, alone = 0] = times
    return (inBatch - alone) / steps
  })
  // The first two warm up.
  return median(differences.slice(2))
}

async function customTool({ provider, checkout }: Stage): Promise<number> {
  const workplace = await createWorkplace({ provider, checkout })
  try {
    const tools = path.join(path.dirname(workplace.data), ".config/docket/tool")
    await mkdir(tools)
    await writeFile(path.join(tools, "greet.ts"), greet)
    const server = await workplace.startServer()
    const desk = await openDesk(server, workplace.project)
    try {
      return await step({ desk, provider }, { call: { name: "greet", args: {} } })
    } finally {
      desk.close()
      await server.stop()
    }
  } finally {
    await workplace.remove()
  }
}
