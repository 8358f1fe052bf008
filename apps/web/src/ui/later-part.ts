import { type ComponentType, lazy } from "react"
import { loadPart } from "./load-part.ts"

/** A component whose code is loaded when it is first rendered. */
export interface LaterPart<Props> {
  /**
   * The component to render. React keeps a load failure forever, so after a failure this is a new component, which
   * loads again.
   */
  latest(): ComponentType<Props>
  isLoaded(): boolean
}

export function laterPart<Props extends object>(load: () => Promise<ComponentType<Props>>): LaterPart<Props> {
  let loaded = false
  const ask = (): ComponentType<Props> =>
    lazy<ComponentType<Props>>(async () => {
      try {
        const part = await loadPart(load)
        loaded = true
        return { default: part }
      } catch (error) {
        latest = ask()
        throw error
      }
    })
  let latest = ask()
  return { latest: () => latest, isLoaded: () => loaded }
}
