import type { Measurement } from "../measurement.ts"
import { onceAStage } from "../once-a-stage.ts"
import { runSoak, type SoakResult } from "./run-soak.ts"

/** Long use. It takes more than ten minutes, so it runs only by name. */
export const soakMeasurements: Measurement[] = [
  row("sessions and turns still busy", "", 0, ({ busy }) => busy),
  row("calls refused", "", 0, ({ refused }) => refused),
  row("memory after an idle minute / in minute two", "×", 1.15, ({ memory }) => memory),
  row("open files after an idle minute / at first", "×", 1.1, ({ files }) => files),
]

function row(label: string, unit: Measurement["unit"], aim: number, pick: (result: SoakResult) => number): Measurement {
  return {
    name: "soak",
    label: `soak: ${label}`,
    unit,
    aim,
    opencode: "–",
    onlyByName: true,
    measure: async (stage) => pick(await soak(stage)),
  }
}

/** All numbers come from one run. */
const soak = onceAStage((stage) => runSoak({ ...stage.soak, checkout: stage.checkout }))
