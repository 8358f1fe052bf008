import { createContext } from "react"

/** Returns the current time for running timers (epoch ms). During a replay it is the replayed time. */
export const NowContext = createContext<() => number>(Date.now)
