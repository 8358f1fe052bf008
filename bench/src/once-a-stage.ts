import type { Stage } from "./measurement.ts"

/** Measures once on each stage, however many rows of the table take a number from it. */
export function onceAStage<Figures>(measure: (stage: Stage) => Promise<Figures>): (stage: Stage) => Promise<Figures> {
  const done = new WeakMap<Stage, Promise<Figures>>()
  return (stage) => {
    const known = done.get(stage) ?? measure(stage)
    done.set(stage, known)
    return known
  }
}
