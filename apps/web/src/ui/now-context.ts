import { createContext } from "react"

/** Tells what times that count up count to (epoch ms). A replay has it tell the moment that is shown. */
export const NowContext = createContext<() => number>(Date.now)
