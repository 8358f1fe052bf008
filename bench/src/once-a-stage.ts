import type { Stage } from "./measurement.ts"

/** Measures once per stage, even if several rows of the table use the result. */
export function onceAStage<Figures>(measure: (stage: Stage) => Promise<Figures>): (stage: Stage) => Promise<Figures> {
  const done = new WeakMap<Stage, Promise<Figures>>()
  return (stage) => {
    const known = done.get(stage) ?? measure(stage)
    done.set(stage, known)
    return known
  }
}
